/// The page's style sheet: light and dark, from 360 pixels up, and on paper.
enum ReportStyle {
    static let sheet: StaticString = """

        :root{color-scheme:light dark;--paper:#fff;--page:#fbfbfa;--ink:#1d1d1f;--soft:#5a5d63;--line:#e3e3e0;
        --accent:#0b5cad;--grave:#8f2d0e;--grave-page:#fdf1ec;--slight-page:#f3f4f1;--leader:#f0f6fb}
        @media (prefers-color-scheme:dark){:root{--paper:#f7f7f5;--page:#17181a;--ink:#e6e6e3;--soft:#a3a6ac;--line:#33353a;
        --accent:#7db8f0;--grave:#f0a488;--grave-page:#35221b;--slight-page:#212326;--leader:#1d2833}}
        *{box-sizing:border-box}
        html{scroll-padding-top:3.5rem;-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
        a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:2px}
        .skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:1rem;background:var(--page);z-index:3;padding:.5rem}
        nav{position:sticky;top:0;z-index:2;background:var(--page);border-bottom:1px solid var(--line);font-size:13px;
        display:flex;align-items:baseline;overflow-x:auto;white-space:nowrap;padding:.45rem 1rem;scrollbar-width:thin}
        nav .brand{margin:0 1rem 0 0;font-weight:650}nav .brand a{color:inherit;text-decoration:none}
        nav ul{display:flex;gap:.2rem 1rem;margin:0;padding:0;list-style:none;align-items:baseline}
        nav a{text-decoration:none}nav a:hover{text-decoration:underline}
        nav .suite{color:var(--soft);font-weight:600}
        main{max-width:1080px;margin:0 auto;padding:1.2rem 1rem 4rem;min-width:0}
        h1{font-size:1.7rem;line-height:1.2;margin:.4rem 0 .6rem;letter-spacing:-.01em;font-weight:650}
        h2{font-size:1.25rem;line-height:1.3;margin:0 0 .4rem;font-weight:650;overflow-wrap:anywhere}
        h3{font-size:.95rem;margin:0 0 .4rem;font-weight:650}
        .facts{margin:0;display:flex;flex-wrap:wrap;gap:.1rem 1.4rem;font-size:13.5px}
        .facts b{font-weight:400;color:var(--soft)}
        .facts span{overflow-wrap:anywhere}
        .counts{margin:.35rem 0 1rem;font-size:13.5px;color:var(--soft)}
        section{margin-top:2.6rem}
        .workload{border-top:1px solid var(--line);padding-top:1.6rem}
        .workload .suitename{margin:0;color:var(--soft);font-size:12.5px;letter-spacing:.04em;font-weight:600}
        .anchor{color:inherit;text-decoration:none}.anchor:hover{text-decoration:underline}
        .about{margin:0 0 .5rem;color:var(--soft)}
        .verdict{margin:0 0 .4rem;font-size:1.02rem;max-width:52rem;overflow-wrap:anywhere}
        .verdict:first-of-type{font-weight:500}
        .growth{border-left:3px solid #d55e00;padding-left:.7rem}
        td .growth{display:block;margin-top:.25rem;color:var(--soft)}
        .declaration{margin:.2rem 0 1rem;font-size:12.5px;color:var(--soft);overflow-wrap:anywhere}
        .notice{border-radius:5px;padding:.6rem .9rem;margin:.8rem 0;font-size:13.5px;overflow-wrap:anywhere}
        .notice h2,.notice h3{font-size:13.5px;margin:0 0 .15rem}
        .notice ul{margin:0;padding-left:1.1rem}
        .grave{background:var(--grave-page)}.grave h2,.grave h3{color:var(--grave)}
        .slight{background:var(--slight-page)}.slight h2{color:var(--soft)}
        .scroll{overflow-x:auto;margin:.6rem 0 .3rem;scrollbar-width:thin}
        table{border-collapse:collapse;font-size:12.5px;font-variant-numeric:tabular-nums lining-nums;min-width:100%}
        caption{text-align:left;font-weight:600;padding:.2rem 0;color:var(--soft);font-size:12.5px}
        th,td{padding:.28rem .42rem;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--line)}
        th{font-weight:500}thead th{font-size:12px;color:var(--soft);font-weight:500;vertical-align:bottom;line-height:1.25}
        thead th:not(:first-child){text-align:right}
        .ranking thead th:nth-child(2),.times thead th:first-child{text-align:left}
        .ranking th:first-child,.ranking td:first-child{text-align:right;width:2.6rem}
        .answer thead th{text-align:left}
        .answer thead th:nth-child(3){text-align:right}
        .batches thead th:last-child{text-align:left}.answer.batches thead th:nth-child(2){text-align:right}
        .batches tbody th a{color:inherit}.answer.batches tbody th a{color:var(--accent)}td.doubts{color:var(--soft);min-width:9rem}
        th.group{text-align:left!important;border-bottom:0;padding-bottom:0;font-weight:600}
        td.number{text-align:right;white-space:nowrap}
        .quiet,.zero{color:var(--soft)}.bad{color:var(--grave);font-weight:600}
        tbody th[scope=row]{white-space:nowrap;max-width:22rem;overflow:hidden;text-overflow:ellipsis}
        tr.leader{background:var(--leader)}
        tr.suite th{font-size:12.5px;color:var(--soft);font-weight:600;padding-top:.9rem}
        .answer td{vertical-align:top}.answer th[scope=row]{vertical-align:top;white-space:normal;min-width:8.5rem;max-width:15rem;overflow-wrap:anywhere}
        .answer .words{min-width:19rem;max-width:36rem;overflow-wrap:anywhere}
        .answer .name{overflow-wrap:anywhere}
        .pairs{min-width:0}.pairs td{overflow-wrap:anywhere}.pairs th{color:var(--soft);font-weight:400}
        .swatch{display:inline-block;width:.62em;height:.62em;border-radius:2px;margin-right:.45em}
        svg.ratio{display:block;width:84px;height:10px}svg.ratio .one{stroke:var(--soft);stroke-dasharray:2 2}
        .footnote{margin:.15rem 0 .8rem;font-size:12.5px;color:var(--soft);max-width:60rem}
        details{margin:.8rem 0;font-size:13.5px}summary{cursor:pointer;color:var(--accent)}
        dl{margin:.4rem 0}dt{font-weight:600}dd{margin:0 0 .5rem;max-width:52rem}
        .definitions{font-size:13.5px}
        figure{margin:1.6rem 0 0}
        .paper{background:#fff;border:1px solid var(--line);border-radius:5px;padding:.5rem;overflow-x:auto;scrollbar-width:thin}
        svg.plot{display:block;width:100%;min-width:660px;height:auto}
        svg.plot text{font-family:system-ui,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
        figcaption{font-size:13.5px;max-width:60rem}figcaption p{margin:.4rem 0;overflow-wrap:anywhere}
        .how{color:var(--soft);font-size:12.5px}.how b{font-weight:600}.how .files{white-space:nowrap}
        .missing{border:1px dashed var(--soft);border-radius:5px;padding:.9rem;margin:0;overflow-wrap:anywhere}
        pre{background:var(--slight-page);padding:.7rem .9rem;border-radius:5px;overflow-x:auto;font-size:13px}
        code{font-family:ui-monospace,"SF Mono","DejaVu Sans Mono",monospace;font-size:.95em}
        @media (max-width:700px){.answer,.answer tbody,.answer tr,.answer th,.answer td{display:block;max-width:none!important;min-width:0!important;padding:0;border:0;text-align:left!important}
        .answer thead{display:none}.answer tr{padding:.55rem 0;border-bottom:1px solid var(--line)}.answer td.number::after{content:" tasks per second";color:var(--soft)}
        .answer.batches td.number::after{content:" an iteration"}}
        @media (max-width:600px){body{font-size:14.5px}main{padding-left:.8rem;padding-right:.8rem}h1{font-size:1.4rem}}
        @media (min-width:1280px){body{display:grid;grid-template-columns:235px minmax(0,1fr)}
        nav{display:block;height:100vh;overflow:auto;white-space:normal;border-bottom:0;border-right:1px solid var(--line);padding:1.3rem 1.1rem}
        nav .brand{margin:0 0 .8rem;font-size:15px}nav ul{display:block}nav li{padding:.12rem 0;line-height:1.3;overflow-wrap:anywhere}
        nav .suite{padding-top:.9rem}html{scroll-padding-top:1rem}main{margin:0;padding:1.4rem 2.2rem 5rem;max-width:1240px;width:100%}}
        @media print{nav,.skip{display:none}body{display:block;background:#fff;color:#000;font-size:10.5pt}main{max-width:none;padding:0}
        figure,tr,.notice{break-inside:avoid}h2,h3,.verdict{break-after:avoid}.scroll,.paper{overflow:visible}table{font-size:8pt}
        th,td{padding:.15rem .3rem}svg.plot{min-width:0}.workload{break-before:page}details::details-content{content-visibility:visible}}

        """
}
