import { expect, test } from 'vitest'
import { readArticleSearch, readWikiSearch, wikiFiltersOf } from './wiki-search.ts'

test('the address narrows the articles down; what is unknown is left out', () => {
  expect(readWikiSearch({ search: 'nozzle', category: 'Floor', state: 'draft' })).toEqual({
    ...{ search: 'nozzle', category: 'Floor', state: 'draft' },
  })
  expect(readWikiSearch({ search: '', category: 7, state: 'lost' })).toEqual({})
  expect(wikiFiltersOf({ category: 'Floor', state: 'published' })).toEqual({ category: 'Floor', is_published: true })
})

test('a revision is shown among the revisions alone', () => {
  expect(readArticleSearch({ tab: 'revisions', revision: '12' })).toEqual({ tab: 'revisions', revision: '12' })
  expect(readArticleSearch({ tab: 'revisions', revision: '0' })).toEqual({ tab: 'revisions' })
  expect(readArticleSearch({ revision: '12' })).toEqual({})
})
