/// The colours of drawings, for light and dark backgrounds.
///
/// The six colours of entries differ in lightness as well, and each has a contrast of at least 3:1 to the background, as
/// have the shades of effort and of sleep, whose order is one of lightness: from the background to the hardest effort, and
/// from the deepest sleep to the background. A renderer that does not know variables uses the values for a light background.
enum SVGStyle {
    /// The variables on a light background.
    static let light: StaticString = """
        --ink:#1c1d21;--muted:#55585f;--grid:#d9dbe0;--paper:#ffffff;\
        --c0:#0b5ea8;--c1:#b3440a;--c2:#08734f;--c3:#7d4a9c;--c4:#6b5a00;--c5:#5a5f68;\
        --z0:#8d9097;--z1:#b07800;--z2:#b35300;--z3:#a32f12;--z4:#7d1520;--z5:#4a0a1c;\
        --n0:#123a73;--n1:#2b6cb0;--n2:#4394c8;--n3:#8d9097;--n4:#c96a1b;\
        --ecg:#b2182b;--paper-minor:#f6c9c9;--paper-major:#e58f8f
        """
    /// The variables on a dark background.
    static let dark: StaticString = """
        --ink:#ececf0;--muted:#a9adb6;--grid:#3a3d45;--paper:#17181c;\
        --c0:#6cb4f5;--c1:#ff9b66;--c2:#4bd1a0;--c3:#d5a6ee;--c4:#dcc65a;--c5:#b3b7c0;\
        --z0:#666b74;--z1:#a8603c;--z2:#cf7440;--z3:#ee9350;--z4:#fabb6e;--z5:#ffe6b0;\
        --n0:#4474c4;--n1:#6fa6e6;--n2:#b3d8fa;--n3:#8f949d;--n4:#ffac5e;\
        --ecg:#ff8f9a;--paper-minor:#4a2b2e;--paper-major:#7d4448
        """
    /// The rules for the classes of marks.
    static let rules: StaticString = """
        text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-size:11px;\
        fill:#55585f;fill:var(--muted)}\
        .t{font-size:14px;font-weight:600;fill:#1c1d21;fill:var(--ink)}\
        .p{fill:#ffffff;fill:var(--paper)}\
        .g{stroke:#d9dbe0;stroke:var(--grid);stroke-width:1;fill:none}\
        .a{stroke:#55585f;stroke:var(--muted);stroke-width:1;fill:none}\
        .l{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}\
        .r{fill-opacity:.35}\
        .s0{stroke:#0b5ea8;stroke:var(--c0)}.s1{stroke:#b3440a;stroke:var(--c1)}\
        .s2{stroke:#08734f;stroke:var(--c2)}.s3{stroke:#7d4a9c;stroke:var(--c3)}\
        .s4{stroke:#6b5a00;stroke:var(--c4)}.s5{stroke:#5a5f68;stroke:var(--c5)}\
        .f0{fill:#0b5ea8;fill:var(--c0)}.f1{fill:#b3440a;fill:var(--c1)}\
        .f2{fill:#08734f;fill:var(--c2)}.f3{fill:#7d4a9c;fill:var(--c3)}\
        .f4{fill:#6b5a00;fill:var(--c4)}.f5{fill:#5a5f68;fill:var(--c5)}\
        .z0{fill:#8d9097;fill:var(--z0)}.z1{fill:#b07800;fill:var(--z1)}\
        .z2{fill:#b35300;fill:var(--z2)}.z3{fill:#a32f12;fill:var(--z3)}\
        .z4{fill:#7d1520;fill:var(--z4)}.z5{fill:#4a0a1c;fill:var(--z5)}\
        .n0{fill:#123a73;fill:var(--n0)}.n1{fill:#2b6cb0;fill:var(--n1)}\
        .n2{fill:#4394c8;fill:var(--n2)}.n3{fill:#8d9097;fill:var(--n3)}\
        .n4{fill:#c96a1b;fill:var(--n4)}\
        .e{fill:none;stroke:#b2182b;stroke:var(--ecg);stroke-linejoin:round;stroke-linecap:round}\
        .n{stroke:#f6c9c9;stroke:var(--paper-minor);fill:none}\
        .k{font-size:3.2px}\
        .m{stroke:#e58f8f;stroke:var(--paper-major);fill:none}
        """

    /// Number of colours of entries; further entries use them again.
    static let colours = 6

    /// Writes the style sheet of a drawing that is a file of its own.
    static func write(to writer: inout MarkupWriter) {
        writer.element("style") { writer in
            writer.literal("svg{")
            writer.literal(light)
            writer.literal("}@media (prefers-color-scheme:dark){svg{")
            writer.literal(dark)
            writer.literal("}}")
            writer.literal(rules)
        }
    }
}
