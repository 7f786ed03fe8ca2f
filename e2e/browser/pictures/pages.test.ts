import { expect, test } from 'vitest'
import { everyPage } from '../test/every-page.ts'
import { pagesWithoutPicture, picturedForVisitors, picturedPages, picturedViews } from './pages.ts'

test('every page has its picture, or a reason why not', () => {
  const named = [...Object.values(picturedPages), ...Object.keys(pagesWithoutPicture)]
  const forVisitors = Object.values(picturedForVisitors).filter((path) => path !== '/docs')
  expect([...named, ...forVisitors].toSorted()).toEqual(everyPage.map(({ path }) => path).toSorted())
})

test('a view of a page is of one that there is', () => {
  const paths = Object.values(picturedViews).map((address) => address.replace(/\?.*/, ''))
  expect(paths.filter((path) => !Object.values(picturedPages).includes(path))).toEqual([])
})
