import { TYPEFACE_STYLE } from '../typeface.ts';

/** Style sheet of the documentation, in the colors and typeface of the screens. */
export const STYLE = `
${TYPEFACE_STYLE}:root{color-scheme:light dark;--ground:#F6F7F9;--card:#FFF;--ink:#14181F;--quiet:#556070;--line:#E0E4E9;--edge:#8590A0;--wash:#F1F3F6;--brand:#0F5C73;--on-brand:#FFF;
--brand-wash:#E3F0F4;--good:#17683D;--good-wash:#E6F4EC;--warn:#855000;--warn-wash:#FDF1DC;--bad:#A8231C;--bad-wash:#FCE9E7;--info:#2B559E;--info-wash:#E8EFFA}
@media (prefers-color-scheme:dark){:root{--ground:#101418;--card:#171C22;--ink:#E6E9ED;--quiet:#9AA5B1;--line:#2A323B;--edge:#6A7585;--wash:#1D232A;--brand:#6CC3D8;--on-brand:#0D1216;
--brand-wash:#12303A;--good:#6FD19D;--good-wash:#16302A;--warn:#E9B45B;--warn-wash:#33290F;--bad:#F49A92;--bad-wash:#3A1D1C;--info:#93B7F6;--info-wash:#1A2A44}}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.55 Inter,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;display:grid;grid-template-columns:280px minmax(0,1fr);min-height:100vh}
a{color:var(--brand)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible,summary:focus-visible{outline:2px solid var(--brand);outline-offset:1px}
code,pre,textarea,.mono{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.skip{position:absolute;left:-9999px}.skip:focus{left:12px;top:12px;background:var(--card);padding:8px 12px;z-index:2}
nav{background:var(--card);border-right:1px solid var(--line);padding:16px 12px;position:sticky;top:0;height:100vh;overflow-y:auto}
nav .home{display:flex;align-items:center;gap:10px;font-weight:600;font-size:16px;color:inherit;text-decoration:none;padding:0 8px 12px}
nav .home svg{width:28px;height:28px}
nav input{width:100%;margin-bottom:10px}
nav ul{list-style:none;margin:0;padding:0}
nav summary{cursor:pointer;padding:5px 8px;border-radius:6px;font-weight:600}
nav summary:hover,nav li a:hover{background:var(--wash)}
nav li a{display:flex;gap:8px;align-items:baseline;padding:4px 8px;border-radius:6px;color:inherit;text-decoration:none;font-size:13px;line-height:1.4}
nav li a[aria-current]{background:var(--brand-wash);color:var(--brand);font-weight:600}
main{padding:28px 36px 64px;max-width:1180px;width:100%}
h1{font-size:24px;line-height:1.3;margin:0 0 6px}h2{font-size:17px;margin:30px 0 10px}h3{font-size:14px;margin:18px 0 6px}
p{margin:0 0 10px;max-width:76ch}
.quiet{color:var(--quiet)}.small{font-size:13px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px;margin:0 0 16px}
.columns{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:20px;align-items:start}
table{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--line);border-radius:8px}
.scroll{overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:7px 10px;border-top:1px solid var(--line)}
th{background:var(--wash);border-top:0;font-weight:600;font-size:13px}
td:first-child code{white-space:nowrap}td:last-child{min-width:240px}
#permissions td code{white-space:nowrap}#permissions td:first-child code{white-space:normal}#permissions td:last-child{min-width:150px}
.scroll{margin-bottom:14px}
pre{background:var(--wash);border:1px solid var(--line);border-radius:6px;padding:12px;margin:0;overflow:auto;max-height:460px;white-space:pre}
:not(pre)>code{background:var(--wash);border-radius:4px;padding:1px 4px;overflow-wrap:anywhere}
.method{font:600 11px/1.4 Inter,system-ui,sans-serif;border-radius:4px;padding:1px 6px;flex:none;min-width:44px;text-align:center}
.GET{background:var(--info-wash);color:var(--info)}.POST{background:var(--good-wash);color:var(--good)}.PUT{background:var(--warn-wash);color:var(--warn)}.DELETE{background:var(--bad-wash);color:var(--bad)}
.url{display:flex;gap:10px;align-items:center;margin:10px 0 14px;overflow-wrap:anywhere}
label{display:block;font-size:13px;font-weight:600;margin:0 0 10px}
label .quiet{font-weight:400}
input,select{font-family:inherit}
input,select,textarea{display:block;width:100%;margin-top:3px;padding:7px 9px;border:1px solid var(--edge);border-radius:6px;background:var(--card);color:inherit;font-size:13px}
textarea{min-height:150px;resize:vertical;white-space:pre;overflow:auto}
button{font:600 13px/1.4 Inter,system-ui,sans-serif;border-radius:6px;border:1px solid var(--edge);background:var(--card);color:inherit;padding:7px 14px;cursor:pointer}
button.main{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
button[disabled]{opacity:.6;cursor:default}
.bar{display:flex;gap:8px 12px;align-items:center;flex-wrap:wrap;margin:0 0 8px}
[role=tablist]{gap:4px;margin:0}[role=tab]{padding:5px 10px}.tools{justify-content:space-between}
form .bar{margin-top:12px}
[role=tab][aria-selected=true]{background:var(--brand-wash);border-color:var(--brand);color:var(--brand)}
.status{font-weight:600;border-radius:4px;padding:2px 8px}.ok{background:var(--good-wash);color:var(--good)}.fault{background:var(--bad-wash);color:var(--bad)}
[hidden]{display:none!important}
@media (max-width:1000px){.columns{grid-template-columns:minmax(0,1fr)}body{grid-template-columns:230px minmax(0,1fr)}main{padding:20px}}
@media (max-width:700px){body{display:block}nav{position:static;height:auto;max-height:40vh}}
@media print{nav,form,.bar{display:none}body{display:block}}
`;
