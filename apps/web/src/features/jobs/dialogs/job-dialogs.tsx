import { useState } from 'react'
import type { JobSubject } from '../use-job-actions.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { type EditableJob, EditJobDialog } from './edit-job-dialog.tsx'
import { ResolveDialog } from './resolve-dialog.tsx'

/** A printer to choose from. */
export interface PrinterOption {
  value: string
  label: string
}

type Open = { kind: 'assign' | 'resolve'; job: JobSubject } | { kind: 'edit'; job: EditableJob }

export interface JobDialogs {
  open: (what: Open) => void
  element: React.ReactNode
}

/** The dialogs that actions on a job open; `element` stands once on the page. */
export function useJobDialogs(printers: readonly PrinterOption[]): JobDialogs {
  const [shown, setShown] = useState<Open>()
  const close = () => setShown(undefined)
  return {
    open: setShown,
    element: (
      <>
        {shown?.kind === 'assign' && <AssignDialog job={shown.job} printers={printers} onClose={close} />}
        {shown?.kind === 'edit' && <EditJobDialog job={shown.job} onClose={close} />}
        {shown?.kind === 'resolve' && <ResolveDialog job={shown.job} onClose={close} />}
      </>
    ),
  }
}
