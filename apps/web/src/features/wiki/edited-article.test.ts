import { expect, test } from 'vitest'
import { changesOf, type EditedArticle, moveSection, numbered } from './edited-article.ts'

const section = (id: string, type: 'step' | 'note' = 'step') => ({
  ...{ id, type, title: id, content: '', image_url: '', description: '', notes: '', warnings: [] },
})
const article: EditedArticle = {
  ...{ title: 'Nozzle', category: '', excerpt: '', tags: [], tools_required: [], difficulty: null },
  ...{ estimated_time_minutes: '', sku_id: null, content: '', sections: [section('a'), section('b')] },
}

test('only what differs is sent, and sections as a whole with their numbers', () => {
  expect(changesOf(article, { ...article })).toEqual({})
  expect(changesOf(article, { ...article, title: 'Hot end', estimated_time_minutes: 5 })).toEqual({
    ...{ title: 'Hot end', estimated_time_minutes: 5 },
  })
  const sections = [section('n', 'note'), section('b')]
  expect(changesOf(article, { ...article, sections }).sections).toMatchObject([
    { id: 'n', number: null, order: 0 },
    { id: 'b', number: 1, order: 1 },
  ])
})

test('steps are counted without the notes between them', () => {
  expect(numbered([section('a'), section('n', 'note'), section('b')]).map(({ number }) => number)).toEqual([1, null, 2])
})

test('a section moves to its new place and the others keep their order', () => {
  expect(moveSection(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveSection(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
})
