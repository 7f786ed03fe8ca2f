import { html, pagePolicy, raw } from '../print/print-page.ts'
import type { PickLine } from './picks.queries.ts'

const style = `
@page { margin: 15mm }
body { font: 11pt/1.4 system-ui, sans-serif; color: #000; background: #fff; margin: 0 auto; max-width: 180mm; padding: 8mm }
h1 { font-size: 16pt; margin: 0 0 6mm }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #999; padding: 2mm 1mm; text-align: left; vertical-align: top }
.count { text-align: right; white-space: nowrap }
.wish { margin: 1mm 0 0; white-space: pre-line }
.box { width: 8mm } .box span { border: 1px solid #000; display: inline-block; height: 4mm; width: 4mm }
tr { break-inside: avoid }
@media print { body { padding: 0 } }
`

export const pickingListPolicy = pagePolicy(style)

/** The page that a person takes along the shelves: by bin, what to take of what. No customer stands on it, but what they wish. */
export function pickingList(orderNumber: string, lines: readonly PickLine[]): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>Picking list ${orderNumber}</title><style>${raw(style)}</style></head>
<body>
<h1>Picking list ${orderNumber}</h1>
<table><thead><tr><th class="box"></th><th>Bin</th><th>SKU</th><th>Item</th><th class="count">Take</th></tr></thead>
<tbody>${lines.filter(({ open, picked, is_due }) => is_due && picked < open).map(rowOf)}</tbody></table>
</body>
</html>
`.text
}

function rowOf({ bin, sku, product_name, color, open, picked, personalisation }: PickLine) {
  const wishes = personalisation.map(({ name, value }) => html`<p class="wish"><strong>${name}:</strong> ${value}</p>`)
  const item = color === '' ? product_name : `${product_name}, ${color}`
  return html`<tr><td class="box"><span></span></td><td>${bin === '' ? '—' : bin}</td><td>${sku}</td><td>${item}${wishes}</td><td class="count">${open - picked}</td></tr>`
}
