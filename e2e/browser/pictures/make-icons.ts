/**
 * Makes the icons of the installed dashboard again, from its logo: `node scripts/run.mjs node e2e/browser/pictures/make-icons.ts`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'

const folder = new URL('../../../apps/web/public/', import.meta.url)
const logo = await readFile(new URL('favicon.svg', folder), 'utf8')

const sizeOfLogo = 32
const ground = '<rect width="32" height="32" rx="6" fill="#1f5f5b" />'
if (!logo.includes(ground)) throw new Error('the logo has another ground than this script knows')

/** Systems cut a maskable icon to a circle of eight tenths: its ground fills all, and the drawing stays within. */
const maskable = drawnWithin(0.9, '<rect width="32" height="32" fill="#1f5f5b" />')
/** Beside a notification only its outline is seen, in the colour of the system. */
const badge = drawnWithin(1.3, '').replaceAll(/fill="#(?:fff|bfe3df)"/g, 'fill="#fff"')

await write('icon-192.png', logo, 192)
await write('icon-512.png', logo, 512)
await write('maskable-192.png', maskable, 192)
await write('maskable-512.png', maskable, 512)
// Rounded and put on black where it is transparent, so the ground fills it.
await write('apple-touch-180.png', drawnWithin(0.9, '<rect width="32" height="32" fill="#1f5f5b" />'), 180)
await write('badge-96.png', badge, 96)

function drawnWithin(scale: number, background: string): string {
  const move = ((1 - scale) * sizeOfLogo) / 2
  return logo
    .replace(ground, `${background}<g transform="translate(${move} ${move}) scale(${scale})">`)
    .replace('</svg>', '</g></svg>')
}

async function write(name: string, svg: string, size: number): Promise<void> {
  const density = (72 * size) / sizeOfLogo
  const png = await sharp(Buffer.from(svg), { density }).resize(size, size).png({ compressionLevel: 9 }).toBuffer()
  await writeFile(new URL(`icons/${name}`, folder), png)
}
