import type { Printyard } from '@printyard/sdk/client'
import type { ListPrintersData } from '@printyard/sdk/generated/api.generated'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { type ConfirmedOptions, confirm } from './confirmation.ts'
import { type RemoteOptions, withServer } from './connection.ts'
import { type ListOptions, pageOf, readRows } from './listing.ts'
import { formatPrinter, formatPrinters } from './tables.ts'

type PrinterStatus = NonNullable<NonNullable<ListPrintersData['query']>['status']>

export interface ListPrintersOptions extends ListOptions {
  status?: PrinterStatus
}

export async function listPrinters(options: ListPrintersOptions): Promise<Answer> {
  const query = { ...pageOf(options), ...(options.status && { status: options.status }) }
  const printers = await withServer(options, (printyard) => readRows(printyard.printers.list(query), options))
  return { document: printers, text: formatPrinters(printers) }
}

export async function showPrinter(printer: string, options: RemoteOptions): Promise<Answer> {
  const found = await withServer(options, async (printyard) =>
    printyard.printers.get(await findPrinterId(printyard, printer)),
  )
  return { document: found, text: formatPrinter(found) }
}

/** Says that the plate of a printer is clear: the next print may start on it. */
export async function clearPlate(printer: string, options: RemoteOptions & ConfirmedOptions): Promise<Answer> {
  const cleared = await withServer(options, async (printyard) => {
    const id = await findPrinterId(printyard, printer)
    if (options.yes !== true) {
      const { name } = await printyard.printers.get(id)
      await confirm(`Is the plate of ${name} empty? The next print may start on it at once.`, options)
    }
    await printyard.printers.control(id, { action: 'clear_bed' })
    return printyard.printers.get(id)
  })
  return { document: cleared, text: formatPrinter(cleared) }
}

/** ID of a printer that is given by ID or by name. */
export async function findPrinterId(printyard: Printyard, given: string): Promise<string> {
  if (given.startsWith('prn_')) return given
  const matches = await printyard.printers.list({ search: given, limit: 100 }).all()
  const named = matches.filter(({ name }) => name === given)
  if (named.length === 1) return named[0]!.id
  if (named.length === 0)
    throw new CommandError(`No printer is called ${given}; \`printyard printers list\` shows them.`)
  throw new CommandError(`${named.length} printers are called ${given}; give the ID of one.`)
}
