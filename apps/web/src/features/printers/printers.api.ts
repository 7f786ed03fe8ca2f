import type { ApiClient } from '../../lib/api-client.ts'
import type { Printer, PrinterStatus } from '../../lib/api-types.ts'

const pageSize = 100
const mostPages = 5

/** The active printers, the first 500. One request per hundred. */
export async function listPrinters(client: ApiClient, signal: AbortSignal): Promise<Printer[]> {
  // By id, because a printer added between two pages moves the others and would come twice.
  const printers = new Map<string, Printer>()
  for (let page = 0; page < mostPages; page += 1) {
    const rows = await client.getList<Printer>(
      `/printers?is_active=true&limit=${pageSize}&offset=${page * pageSize}`,
      signal,
    )
    for (const row of rows) printers.set(row.id, row)
    if (rows.length < pageSize) break
  }
  return [...printers.values()]
}

export function getPrinterStatus(client: ApiClient, printerId: string, signal: AbortSignal): Promise<PrinterStatus> {
  return client.getOne<PrinterStatus>(`/printers/${encodeURIComponent(printerId)}/status`, signal)
}
