import { afterEach, expect, test, vi } from 'vitest'
import { addressOfPart, findFate, isMissingPart, MissingPart } from './missing-part.ts'

const address = 'https://farm.example/assets/queue-page-1a2b.js'
const ofChromium = new TypeError(`Failed to fetch dynamically imported module: ${address}`)

afterEach(() => vi.unstubAllGlobals())

test.each([
  ofChromium,
  new TypeError(`error loading dynamically imported module: ${address}`),
  new TypeError('Importing a module script failed.'),
  new Error('Unable to preload CSS for /assets/queue-page-1a2b.css'),
  new MissingPart(ofChromium),
])('“%s” is known as a part that was not loaded', (error) => {
  expect(isMissingPart(error)).toBe(true)
})

test('a fault of the page itself is no missing part', () => {
  expect(isMissingPart(new TypeError('x is undefined'))).toBe(false)
})

test('the address of the part is taken from what the browser says', () => {
  expect(addressOfPart(new MissingPart(ofChromium))).toBe(address)
  expect(addressOfPart(new Error('Unable to preload CSS for /assets/a.css'))).toBe('/assets/a.css')
  expect(addressOfPart(new TypeError('Importing a module script failed.'))).toBeUndefined()
})

test.each<{ answer: () => Promise<{ ok: boolean }>; error: Error; fate: string }>([
  { answer: async () => ({ ok: false }), error: ofChromium, fate: 'gone' },
  { answer: async () => ({ ok: true }), error: ofChromium, fate: 'there' },
  { answer: async () => ({ ok: true }), error: new TypeError('Importing a module script failed.'), fate: 'gone' },
  { answer: () => Promise.reject(new TypeError('Failed to fetch')), error: ofChromium, fate: 'away' },
])('the fate of a part is asked of the service: $fate', async ({ answer, error, fate }) => {
  vi.stubGlobal('fetch', answer)
  expect(await findFate(error)).toBe(fate)
})
