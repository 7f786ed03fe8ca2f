import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { livePrinter } from '../../test/live-printers.ts'
import { presentPrinterStatus } from './printer-state.ts'
import { livePrintersQuery, printerLivePatch, printerLiveRules, printerStatusQuery } from './printers.api.ts'

test('what a printer says is written into its status and into the list of all, and nothing else is drawn again', () => {
  const queryClient = new QueryClient()
  const live = livePrintersQuery().queryKey
  queryClient.setQueryData(live, [livePrinter({ id: 'a', status: 'idle', name: 'A' }), livePrinter({ id: 'b' })])
  queryClient.setQueryData<unknown>(printerStatusQuery('a').queryKey, { printer_id: 'a', progress: 1, bed_temp: 60 })
  const untouched = queryClient.getQueryData(live)?.[1]

  printerLivePatch(
    queryClient,
    new Map([
      ['a', { printer_id: 'a', status: 'printing', progress: 2 }],
      ['z', { printer_id: 'z', progress: 3 }],
    ]),
  )
  const [first, second] = queryClient.getQueryData(live) ?? []
  expect(first).toMatchObject({ id: 'a', status: 'printing', name: 'A' })
  expect(second).toBe(untouched)
  expect(queryClient.getQueryData(printerStatusQuery('a').queryKey)).toEqual({
    ...{ printer_id: 'a', status: 'printing', progress: 2, bed_temp: 60 },
  })
  expect(queryClient.getQueryData(printerStatusQuery('z').queryKey)).toBeUndefined()
})

test('a status of a later service is shown as it is spelt', () => {
  expect([presentPrinterStatus('dreaming').word, presentPrinterStatus(null).word]).toEqual(['dreaming', 'Not known'])
})

test('printers to choose from are read again when one is another, and not with each job', () => {
  const isRead = (type: string) =>
    printerLiveRules
      .filter(({ on }) =>
        on.some((name) => name === type || (name.endsWith('*') && type.startsWith(name.slice(0, -1)))),
      )
      .some(({ keys }) => keys('prn_1', undefined).some((key) => key.join() === 'printers,choices'))
  const asked = ['printer.created', 'printer.updated', 'printer.deleted', 'printer.offline', 'job.started']
  expect(asked.filter(isRead)).toEqual(['printer.created', 'printer.updated', 'printer.deleted'])
})
