import { expect, test } from 'vitest'
import { linesOf } from './article-text.ts'

const blank = {
  ...{
    title: 'Nozzle',
    slug: 'nozzle',
    excerpt: '',
    category: 'Floor',
    tags: ['hot end'],
    product_id: null,
    sku_id: null,
  },
  ...{ meta_title: '', meta_description: '', featured_image_url: '', description: '', estimated_time_minutes: 5 },
  ...{ difficulty: null, tools_required: [], content: 'Heat it.\nTurn it.', sections: [] },
}

test('what an article says stands line by line, and what it does not say has no line', () => {
  expect(linesOf(blank)).toBe(
    ['Title: Nozzle', 'Category: Floor', 'Tags: hot end', 'Minutes: 5', '', 'Heat it.', 'Turn it.', ''].join('\n'),
  )
})

test('a section has its kind and number over its text', () => {
  const section = {
    ...{ id: 's', type: 'step' as const, order: 0, number: 2, title: 'Turn', content: 'Left', description: '' },
    ...{ image_url: '', notes: 'Gently', warnings: ['Hot'] },
  }
  expect(
    linesOf({ ...blank, sections: [section] })
      .split('\n')
      .slice(-6),
  ).toEqual([...['', 'step 2 Turn', 'Left', 'Gently', 'Hot', '']])
})
