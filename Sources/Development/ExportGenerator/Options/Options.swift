/// The options of a generated export.
public struct GeneratorOptions: Sendable, Hashable {
    /// The size of the smallest document with room for the declarations and an element of each kind.
    public static let minimumXMLBytes = 20_000

    /// The seed of all random choices: equal seeds and options produce equal bytes.
    public var seed: UInt64

    /// The size of the main document, reached within about one per cent.
    ///
    /// Values below ``minimumXMLBytes`` are raised to it.
    public var xmlBytes: Int

    /// How the records are arranged.
    public var shape: Shape

    /// The version of the document type declaration, or nil for a document without one.
    ///
    /// The version determines the content too: elements, attributes and types of later systems are missing from
    /// older exports. Without a declaration, the content is that of the newest version.
    public var dtdVersion: DTDVersion?

    /// The number of files beside the main document.
    public var sideFiles: SideFiles

    /// How many years the data reaches back from the export, from one to a hundred.
    public var years: Int

    /// When the export was made; its offset applies to all dates in the document.
    public var exportDate: ExportDate

    /// The device's locale, as given in the root element.
    ///
    /// The language determines the format of the times of day in heart rate variability records.
    public var locale: String

    /// Creates options; each has a default.
    ///
    /// - Parameters:
    ///   - seed: The seed of all random choices.
    ///   - xmlBytes: The size of the main document.
    ///   - shape: How the records are arranged.
    ///   - dtdVersion: The version of the document type declaration, or nil for none.
    ///   - sideFiles: The number of files beside the main document.
    ///   - years: How many years the data reaches back.
    ///   - exportDate: When the export was made.
    ///   - locale: The device's locale.
    public init(
        seed: UInt64 = 1,
        xmlBytes: Int = 1_000_000,
        shape: Shape = .ordinary,
        dtdVersion: DTDVersion? = .v14,
        sideFiles: SideFiles = .some,
        years: Int = 10,
        exportDate: ExportDate = ExportDate(secondsSince1970: 1_768_465_800, offsetSeconds: 3600),
        locale: String = "en_US"
    ) {
        self.seed = seed
        self.xmlBytes = xmlBytes
        self.shape = shape
        self.dtdVersion = dtdVersion
        self.sideFiles = sideFiles
        self.years = years
        self.exportDate = exportDate
        self.locale = locale
    }
}
