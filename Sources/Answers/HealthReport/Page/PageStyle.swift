/// The style sheet of a report, beside that of its drawings.
enum PageStyle {
    /// The rules: for wide and narrow screens, and for paper.
    static let rules: StaticString = """
        *{box-sizing:border-box}\
        html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}\
        body{margin:0;background:var(--paper);color:var(--ink);line-height:1.5;\
        font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}\
        header,main,footer,nav{max-width:76rem;margin:0 auto;padding:0 1.25rem}\
        header{padding-top:1.5rem}\
        h1{font-size:1.7rem;margin:0 0 .25rem;line-height:1.2}\
        h2{font-size:1.3rem;margin:2.5rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--grid)}\
        h3{font-size:1rem;margin:0 0 .4rem;line-height:1.35;overflow-wrap:anywhere}\
        p{margin:.4rem 0;max-width:50rem;overflow-wrap:anywhere}\
        .note{color:var(--muted);font-size:.9rem}\
        .warning{border-left:4px solid var(--c1);padding:.4rem .8rem;margin:1rem 0;max-width:50rem}\
        nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;margin:1rem 0 0}\
        a{color:var(--c0)}\
        a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--c0);outline-offset:2px}\
        .skip{position:absolute;left:-100vw}.skip:focus{left:1rem;top:.5rem}\
        .grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,27rem),1fr));gap:1.75rem 2.25rem;\
        align-items:start;margin:1rem 0}\
        .routes{grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr))}\
        figure{margin:0;min-width:0}\
        figcaption{color:var(--muted);font-size:.8rem;margin-top:.3rem;overflow-wrap:anywhere}\
        svg.hv{display:block;width:100%;height:auto}svg.wide{max-width:40rem}svg.ecg{display:block;max-width:100%;height:auto}\
        dl.facts{display:flex;flex-wrap:wrap;gap:.75rem 2.25rem;margin:.75rem 0}\
        dl.facts div{display:flex;flex-direction:column-reverse}\
        dt{color:var(--muted);font-size:.8rem}dd{margin:0;font-size:1.35rem;font-weight:600}\
        details{margin-top:.4rem;font-size:.85rem}summary{cursor:pointer;color:var(--c0);padding:.15rem 0}\
        .scroll{overflow-x:auto;max-width:100%}details .scroll{max-height:24rem;overflow:auto}\
        table{border-collapse:collapse;font-size:.85rem;margin:.4rem 0}\
        th,td{text-align:left;padding:.2rem .7rem .2rem 0;border-bottom:1px solid var(--grid);vertical-align:top}\
        th{color:var(--muted);font-weight:600}.u{text-align:right;font-variant-numeric:tabular-nums}.d,td.u{white-space:nowrap}\
        footer{margin-top:3rem;padding-bottom:3rem;color:var(--muted);font-size:.85rem}\
        @media print{\
        :root{color-scheme:light}\
        body{font-size:10pt}nav,.skip{display:none}header,main,footer{max-width:none;padding:0}\
        .grid{display:block;columns:2;column-gap:8mm}.routes{columns:3}.grid figure{margin-bottom:5mm}\
        h3{font-size:9.5pt}p,figcaption,table,footer{font-size:8.5pt}dd{font-size:12pt}\
        figure,dl.facts,tr{break-inside:avoid}h2,h3{break-after:avoid}\
        details:not([open]){display:none}.scroll,details .scroll{overflow:visible;max-height:none}\
        }@page{margin:14mm}
        """

    /// Writes the style sheet; on paper, colours are those for a light background.
    static func write(to writer: inout MarkupWriter) {
        writer.element("style") { writer in
            writer.literal(":root{color-scheme:light dark;")
            writer.literal(SVGStyle.light)
            writer.literal("}@media screen and (prefers-color-scheme:dark){:root{")
            writer.literal(SVGStyle.dark)
            writer.literal("}}")
            writer.literal(SVGStyle.rules)
            writer.literal(rules)
        }
    }
}
