import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const testsIn = (text: string) => [...text.matchAll(/`([^`\s]+\.test\.ts)`/g)].map(([, path = '']) => path)

/** How many requirements of levels 1 and 2 each section of version 5.0.0 has; those of level 3 come last in a section. */
const sections: Record<string, number> = {
  ...{ 'V1.1': 2, 'V1.2': 9, 'V1.3': 11, 'V1.4': 3, 'V1.5': 2, 'V2.1': 3, 'V2.2': 3, 'V2.3': 4, 'V2.4': 1 },
  ...{ 'V3.2': 2, 'V3.3': 4, 'V3.4': 6, 'V3.5': 5, 'V3.7': 2, 'V4.1': 3, 'V4.2': 1, 'V4.3': 2, 'V4.4': 4 },
  ...{ 'V5.1': 1, 'V5.2': 3, 'V5.3': 2, 'V5.4': 3, 'V6.1': 3, 'V6.2': 12, 'V6.3': 4, 'V6.4': 4, 'V6.5': 5 },
  ...{ 'V6.6': 3, 'V6.8': 4, 'V7.1': 3, 'V7.2': 4, 'V7.3': 2, 'V7.4': 5, 'V7.5': 2, 'V7.6': 2, 'V8.1': 2 },
  ...{ 'V8.2': 3, 'V8.3': 1, 'V8.4': 1, 'V9.1': 3, 'V9.2': 4, 'V10.1': 2, 'V10.2': 2, 'V10.3': 4, 'V10.4': 11 },
  ...{ 'V10.5': 5, 'V10.6': 2, 'V10.7': 3, 'V11.1': 2, 'V11.2': 3, 'V11.3': 3, 'V11.4': 4, 'V11.5': 1, 'V11.6': 1 },
  ...{ 'V12.1': 3, 'V12.2': 2, 'V12.3': 4, 'V13.1': 1, 'V13.2': 5, 'V13.3': 2, 'V13.4': 5, 'V14.1': 2, 'V14.2': 4 },
  ...{ 'V14.3': 3, 'V15.1': 3, 'V15.2': 3, 'V15.3': 7, 'V16.1': 1, 'V16.2': 5, 'V16.3': 4, 'V16.4': 3, 'V16.5': 3 },
  ...{ 'V17.1': 1, 'V17.2': 4, 'V17.3': 2 },
}

const rows = read('docs/security/asvs.md')
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))

test('each requirement of levels 1 and 2 has one line', () => {
  const expected = Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, n) => `${section}.${n + 1}`),
  )
  expect(expected).toHaveLength(253)
  expect(rows.map(([id]) => id)).toEqual(expected)
  expect(rows.filter(([, level]) => level === '1')).toHaveLength(70)
})

test('what is met has a test that is there, a document, or the reason why no test can show it', () => {
  for (const [id = '', , , standing = '', shown = ''] of rows) {
    expect(['met', 'not met', 'no part'], id).toContain(standing)
    expect(shown.length, id).toBeGreaterThan(3)
    const isShown = testsIn(shown).length > 0 || /\]\(\.\.\/[^)]+\)|no test|`npm test`/.test(shown)
    if (standing === 'met') expect(isShown, `${id}: ${shown}`).toBe(true)
  }
})

test.each(['docs/security.md', 'docs/security/asvs.md'])('every test that %s names is there', (page) => {
  const named = testsIn(read(page))
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

/** What the page says in figures, and where the code has them; what they are good for is shown by the tests that the page names. */
const figures: readonly (readonly [said: string, file: string, kept: string])[] = [
  ['ten guesses, then a pause', 'modules/people/sign-in/sign-in-throttle.ts', 'personAndNetwork: 10,'],
  ['a proof of the last ten minutes', 'modules/people/proof/proof.ts', 'proofLifeMs = 10 * 60 * 1000'],
  ['argon2id, 19 MiB, two passes', 'modules/people/accounts/password.ts', 'memoryKib: 19_456, passes: 2,'],
  ['after ten minutes; void after set-up', 'modules/hubs/join-code.ts', 'joinCodeLifetimeMs = 10 * 60 * 1000'],
  ['used once, for a day', 'modules/notifications/message/take-link.ts', 'takeLinkLifeMs = 24 * 3_600_000'],
  ['read up to 16 KB (', 'modules/outbound/send-request.ts', 'longestRestBytes = 16 * 1024\n'],
  ['(16 MB of shops', 'modules/shops/connectors/contract/shop-client.ts', 'mostBytes: 16 * 1024 * 1024'],
  ['8 MB of Spoolman)', 'modules/materials/spoolman/sync/spoolman-client.ts', 'mostBytes: 8 * 1024 * 1024'],
  ['of strangers 500 at one address', 'http/connections/open-connections.ts', 'ofNetwork: 500,'],
  ['1,000 in one /48', 'http/connections/open-connections.ts', 'ofSite: 1_000,'],
  ['2,000 in all', 'http/connections/open-connections.ts', 'ofStrangers: 2_000,'],
  ['1,000 over which nothing is asked', 'http/connections/open-connections.ts', 'atRestOfAccount: 1_000,'],
  ['three quarters of its files', 'http/connections/open-connections.ts', 'partForConnections = 3 / 4\n'],
  ['takes bodies of 4 MB', 'modules/shops/hooks/hook-bodies.ts', 'longest: 4 * megabyte'],
  ['8 MB at once', 'modules/shops/hooks/hook-bodies.ts', 'heldByNetwork: 8 * megabyte'],
  ['64 MB a minute', 'modules/shops/hooks/hook-bodies.ts', 'perMinute: 64 * megabyte'],
  ['64 MB at once from all', 'modules/shops/hooks/hook-bodies.ts', 'held: 64 * megabyte'],
  ['after 60 wrong signatures', 'modules/shops/hooks/hook.routes.ts', 'refusedPerMinute = 60\n'],
  ['eight reads of an account', 'http/request/read-turns.ts', 'readsAtOnce = 8\n'],
  ['twenty of its channels of notifications', 'modules/notifications/delivery/due.queries.ts', 'mostOfAccount = 20\n'],
  ['2,000 wait at most', 'gateway/hub-session.ts', 'maxWaitingFrames = 2_000\n'],
  ['the 128 random bits of their address', 'modules/catalogue/products/product-images.service.ts', 'randomBytes(16)'],
]

test.each(figures)('the page says “%s”, as %s has it', (said, file, kept) => {
  expect(read('docs/security.md').replace(/\s+/g, ' ')).toContain(said)
  expect(read(`apps/server/src/${file}`)).toContain(kept)
})
