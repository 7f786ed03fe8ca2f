import { expect, test } from 'vitest'
import { feedDifferences } from './feed-differences.ts'

const events = (...ids: string[]) => ids.map((id) => ({ id }))
const rows = events('a', 'b', 'c')

test.each([
  ['whole', events('a', 'b', 'c'), []],
  ['with a hole', events('a', 'c'), ['the feed left out b']],
  ['with an event twice', events('a', 'b', 'b', 'c'), ['the feed told 1 events twice']],
  ['with an event that is not there', events('a', 'b', 'c', 'd'), ['the feed told d, which is not there']],
  ['in another order', events('b', 'a', 'c'), ['the feed told b where a stands']],
])('a feed %s is told apart', (_, feed, wrong) => {
  expect(feedDifferences(feed, rows)).toEqual(wrong)
})
