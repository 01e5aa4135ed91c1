// The titles of types, as the Health app and the command show them, and which quantities are added up.
// In the page, `KNOWN_TYPES` stands before this module: a map from identifiers to titles that are not their words, and
// `true` for quantities whose values are added up.

/** The title of a type, or of an element that has no types. */
export function titleOf(element, type) {
  const [known] = KNOWN_TYPES.get(type === '' ? `HK${element}TypeIdentifier` : type) ?? [];
  const title = known ?? wordsOf(type === '' ? element : nameOf(type));
  return element === 'ClinicalRecord' ? `Clinical Record: ${title}` : title;
}

/** An identifier without `HKQuantityTypeIdentifier`, `HKDataType` and the like. */
function nameOf(identifier) {
  return identifier.replace(/^HK(?:\w*?Type(?:Identifier(?!$)|(?!Identifier)(?=[A-Z])))?(?=[A-Z])/, '').replace(/TypeIdentifier$/, '');
}

/** An identifier's words, with spaces between them. */
export function wordsOf(name) {
  return name.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ');
}

/** How the values of a type are summed up in a chart: `sum`, `average`, or `count` if they are no numbers. */
export function aggregationOf(element, type) {
  if (element !== 'Record' || !type.startsWith('HKQuantityTypeIdentifier')) return 'count';
  const [, isAddedUp] = KNOWN_TYPES.get(type) ?? [];
  return isAddedUp ? 'sum' : 'average';
}
