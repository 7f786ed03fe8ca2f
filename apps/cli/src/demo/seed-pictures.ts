import { fileURLToPath } from 'node:url'
import { drawGcode } from '@printyard/print-files/drawing/draw-gcode'
import { demoKit, demoProducts } from './demo-farm.ts'
import type { FarmClient } from './farm-client.ts'

const demoFiles = new URL('../../../server/demo-files/', import.meta.url)

/** Draws each product from what its file prints, in the colour of its SKU; the kit has the pictures of what is in it. */
export async function seedPictures(farm: FarmClient): Promise<void> {
  const products = await farm.get<{ id: string; name: string }[]>('/products?limit=100')
  const post = async (name: string, picture: Blob) => {
    const product = products.find((each) => each.name === name)
    if (!product) throw new Error(`The demo farm has no ${name}`)
    await farm.postPicture(`/products/${product.id}/images`, picture)
  }
  for (const { picture: file, name, sku, hexCode } of demoProducts) {
    if (file === undefined) continue
    const drawn = await drawGcode(fileURLToPath(new URL(file, demoFiles)), { color: hexCode })
    if (!drawn) throw new Error(`Nothing can be drawn of ${file}`)
    const picture = new Blob([new Uint8Array(drawn.bytes)], { type: drawn.mime })
    await post(name, picture)
    if (sku in demoKit.children) await post(demoKit.name, picture)
  }
}
