extension GeneratorOptions {
    /// A version of the document type declaration, as given in its comment `HealthKit Export Version`.
    public enum DTDVersion: Int, CaseIterable, Comparable, Sendable {
        /// iOS 9.3 to 11.
        case v3 = 3

        /// iOS 12: clinical records, heartbeats, routes with inline locations.
        case v8 = 8

        /// iOS 14 and 15: routes in separate files.
        case v11 = 11

        /// iOS 16.0 and 16.1: workout statistics and activities, and a declaration that is not well-formed.
        case v12 = 12

        /// iOS 16.2 to 17: a repaired declaration, audiograms and attachments.
        case v13 = 13

        /// iOS 18 and later, with the masked audiogram points of 18.1.
        case v14 = 14

        /// Orders versions by their number.
        ///
        /// - Parameters:
        ///   - left: A version.
        ///   - right: Another version.
        /// - Returns: Whether the first is older.
        public static func < (left: Self, right: Self) -> Bool {
            left.rawValue < right.rawValue
        }

        /// The last year in which a system wrote this version.
        var lastYear: Int {
            switch self {
            case .v3: 2017
            case .v8: 2018
            case .v11: 2021
            case .v12: 2022
            case .v13: 2023
            case .v14: .max
            }
        }
    }
}
