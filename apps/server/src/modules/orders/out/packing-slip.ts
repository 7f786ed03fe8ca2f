import { type Html, html, pagePolicy, raw } from '../print/print-page.ts'

/** A line of a packing slip. */
interface SlipLine {
  product_name: string
  sku: string
  variation: string
  quantity: number
  pack_size: number
  personalisation: readonly { name: string; value: string }[]
}

/** What goes with a parcel; no price stands on it. */
export interface Slip {
  farm: string
  order_number: string
  /** As `2026-11-20`. */
  order_day: string
  /** The lines of the address, the name first. */
  shipTo: readonly string[]
  carrier: string
  tracking_number: string
  lines: readonly SlipLine[]
  /** Number of the order, in its quantities, that are to come in other parcels. */
  toFollow: number
}

const style = `
@page { margin: 15mm }
body { font: 11pt/1.4 system-ui, sans-serif; color: #000; background: #fff; margin: 0 auto; max-width: 180mm; padding: 8mm }
h1 { font-size: 16pt; margin: 0 0 6mm }
.top { display: flex; justify-content: space-between; gap: 10mm; margin-bottom: 8mm }
address { font-style: normal; white-space: pre-line }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #999; padding: 2mm 1mm; text-align: left; vertical-align: top }
.count { text-align: right; white-space: nowrap }
.wish { margin: 1mm 0 0; white-space: pre-line }
.box { width: 8mm } .box span { border: 1px solid #000; display: inline-block; height: 4mm; width: 4mm }
tr { break-inside: avoid }
@media print { body { padding: 0 } }
`

export const slipPolicy = pagePolicy(style)

/** The page that is printed and laid into a parcel. */
export function packingSlip(slip: Slip): string {
  const facts = [
    ['Order', slip.order_number],
    ['Date', slip.order_day],
    ['Carrier', slip.carrier],
    ['Tracking', slip.tracking_number],
  ].filter(([, value]) => value !== '')
  const note =
    slip.toFollow > 0
      ? html`<p>${slip.toFollow} more of this order ${slip.toFollow === 1 ? 'follows' : 'follow'} in another parcel.</p>`
      : raw('')
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>Packing slip ${slip.order_number}</title><style>${raw(style)}</style></head>
<body>
<h1>${slip.farm}</h1>
<div class="top"><address>${slip.shipTo.join('\n')}</address>
<div>${facts.map(([name = '', value = '']) => html`<div>${name}: ${value}</div>`)}</div></div>
<table><thead><tr><th class="box"></th><th>Item</th><th>SKU</th><th class="count">Quantity</th></tr></thead>
<tbody>${slip.lines.map(rowOf)}</tbody></table>
${note}
</body>
</html>
`.text
}

function rowOf(line: SlipLine): Html {
  const pack = line.pack_size === 1 ? raw('') : html` <small>(packs of ${line.pack_size})</small>`
  const variation = line.variation === '' ? raw('') : html`<div>${line.variation}</div>`
  const wishes = line.personalisation.map(
    ({ name, value }) => html`<p class="wish"><strong>${name}:</strong> ${value}</p>`,
  )
  return html`<tr><td class="box"><span></span></td><td>${line.product_name}${variation}${wishes}</td><td>${line.sku}</td><td class="count">${line.quantity}${pack}</td></tr>`
}
