import { expect, test } from 'vitest'
import { everyPage } from '../test/every-page.ts'
import { pagesWithoutPicture, picturedPages } from './pages.ts'

test('every page has its picture, or a reason why not', () => {
  const named = [...Object.values(picturedPages), ...Object.keys(pagesWithoutPicture)]
  expect(named.toSorted()).toEqual(everyPage.map(({ path }) => path).toSorted())
})
