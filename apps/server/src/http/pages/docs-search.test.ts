import { describe, expect, test } from 'vitest'
import { resultsHtml, searchParts } from './docs-search.ts'

const parts = [
  {
    page: 'Orders',
    heading: 'Orders',
    url: '/docs/orders',
    text: 'A backup is no order, but a backup of a backup is.',
  },
  {
    page: 'Backups',
    heading: 'Restoring',
    url: '/docs/operating/backups#restoring',
    text: 'The folder must be empty.',
  },
  {
    page: 'Backups',
    heading: 'Making one',
    url: '/docs/operating/backups#making-one',
    text: 'It works <beside> the service.',
  },
]
const found = (query: string) => searchParts(parts, query).map(({ url }) => url)

describe('the search of the documentation', () => {
  test('finds parts that have all words, those first that say so in their headings', () => {
    expect(found('backup')).toEqual([
      '/docs/operating/backups#restoring',
      '/docs/operating/backups#making-one',
      '/docs/orders',
    ])
    expect(found('BACKUPS empty folder')).toEqual(['/docs/operating/backups#restoring'])
    expect(found('backup nowhere')).toEqual([])
  })

  test('without a word finds nothing, and answers 30 parts at most', () => {
    expect(found('  ?! ')).toEqual([])
    const many = Array.from({ length: 100 }, (_, index) => ({
      page: 'P',
      heading: 'clip',
      url: `/docs/${index}`,
      text: '',
    }))
    expect(searchParts(many, 'clip')).toHaveLength(30)
  })

  test('what was typed and what was found means nothing as HTML or as a pattern', () => {
    expect(resultsHtml([], '<script>')).toContain('&lt;script&gt;')
    const html = resultsHtml(searchParts(parts, 'beside'), 'beside')
    expect(html).toContain('&lt;<mark>beside</mark>&gt;')
    expect(resultsHtml(searchParts(parts, 'one.'), 'one.')).not.toContain('<mark></mark>')
  })
})
