import { haveProof } from '../../../lib/api/api.ts'
import { apiPrefix } from '../../../lib/api/api-client.ts'

/** Lets the browser download all of the account; it shows how far it has come. Answers whether it was started. */
export async function downloadExport(): Promise<boolean> {
  if (!(await haveProof())) return false
  const link = document.createElement('a')
  link.href = `${apiPrefix}/account/export`
  // An answer that refuses is a download that fails, and does not take the place of this page.
  link.download = ''
  link.click()
  return true
}
