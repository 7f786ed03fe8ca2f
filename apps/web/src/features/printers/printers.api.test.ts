import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { presentPrinterStatus } from './printer-state.ts'
import { printerListQuery, printerLivePatch, printerStatusQuery } from './printers.api.ts'

test('what a printer says is written into its status and into the lists, and nothing else is drawn again', () => {
  const queryClient = new QueryClient()
  const list = (...rows: unknown[]) => ({ pages: [{ rows, nextCursor: null }], pageParams: [undefined] })
  const [left, right] = [printerListQuery().queryKey, printerListQuery({ location: 'Hall 2' }).queryKey]
  queryClient.setQueryData<unknown>(left, list({ id: 'a', status: 'idle', name: 'A' }))
  queryClient.setQueryData<unknown>(right, list({ id: 'b', status: 'idle' }))
  queryClient.setQueryData<unknown>(printerStatusQuery('a').queryKey, { printer_id: 'a', progress: 1, bed_temp: 60 })
  const untouched = queryClient.getQueryData(right)

  printerLivePatch(
    queryClient,
    new Map([
      ['a', { printer_id: 'a', status: 'printing', progress: 2 }],
      ['z', { printer_id: 'z', progress: 3 }],
    ]),
  )
  expect(queryClient.getQueryData(left)).toEqual(list({ id: 'a', status: 'printing', name: 'A' }))
  expect(queryClient.getQueryData(right)).toBe(untouched)
  expect(queryClient.getQueryData(printerStatusQuery('a').queryKey)).toEqual({
    ...{ printer_id: 'a', status: 'printing', progress: 2, bed_temp: 60 },
  })
  expect(queryClient.getQueryData(printerStatusQuery('z').queryKey)).toBeUndefined()
})

test('a status of a later service is shown as it is spelt', () => {
  expect([presentPrinterStatus('dreaming').word, presentPrinterStatus(null).word]).toEqual(['dreaming', 'Not known'])
})
