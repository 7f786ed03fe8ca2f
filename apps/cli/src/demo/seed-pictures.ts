import { fileURLToPath } from 'node:url'
import { drawGcode } from '@printyard/print-files/drawing/draw-gcode'
import { demoKit, demoProducts } from './demo-farm.ts'
import { demoRail } from './demo-sales.ts'
import type { FarmClient } from './farm-client.ts'

const demoFiles = new URL('../../../server/demo-files/', import.meta.url)

/** Kits, with the SKUs in them that are printed. */
const kits: readonly { name: string; skus: readonly string[] }[] = [
  { name: demoKit.name, skus: Object.keys(demoKit.children) },
  { name: demoRail.name, skus: [demoRail.hook] },
]

/** Draws each product from what its file prints, in the colour of its SKU; kits have the pictures of what is in them. */
export async function seedPictures(farm: FarmClient): Promise<void> {
  const products = await farm.get<{ id: string; name: string }[]>('/products?limit=100')
  const post = async (name: string, picture: Blob) => {
    const product = products.find((each) => each.name === name)
    if (!product) throw new Error(`The demo farm has no ${name}`)
    await farm.postPicture(`/products/${product.id}/images`, picture)
  }
  for (const { picture: file, name, sku, hexCode } of demoProducts) {
    const drawn = await drawGcode(fileURLToPath(new URL(file, demoFiles)), { color: hexCode })
    if (!drawn) throw new Error(`Nothing can be drawn of ${file}`)
    const picture = new Blob([new Uint8Array(drawn.bytes)], { type: drawn.mime })
    await post(name, picture)
    for (const kit of kits) if (kit.skus.includes(sku)) await post(kit.name, picture)
  }
}
