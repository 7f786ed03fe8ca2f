import type { JobSubject } from './use-job-actions.ts'

interface Named {
  id: string
  status: string | null
  product_name: string | null
  file_name: string
  printer_id: string | null
  printer_name: string | null
}

/** A job is called by what it makes, else by its file. */
export function subjectOf({ id, status, product_name, file_name, printer_id, printer_name }: Named): JobSubject {
  return { id, status, name: product_name ?? file_name, printer_id, printer_name }
}
