import type { PrintFileDetail } from '../../lib/api/api-schema.generated.ts'
import { sendFile } from './send-file.ts'
import { createUploadQueue, isOver } from './upload-queue.ts'

/** The files that this page sends. They go on while a person looks at another page of the dashboard. */
export const uploads = createUploadQueue<PrintFileDetail>({ send: sendFile })

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

// Leaving the dashboard would end what is on its way.
uploads.subscribe(() => {
  const isBusy = uploads.list().some(({ state }) => !isOver(state))
  if (isBusy) window.addEventListener('beforeunload', warn)
  else window.removeEventListener('beforeunload', warn)
})
