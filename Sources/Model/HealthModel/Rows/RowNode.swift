import SampleBatches

extension SampleRow {
    /// The row as an element, with times in Apple's form.
    var node: ElementNode {
        var element = ElementNode(name: element)
        for name in attributeNames {
            let text = time(name).map(\.apple) ?? self[name]
            element.add(name, text)
        }
        element.children = children
        return element
    }
}
