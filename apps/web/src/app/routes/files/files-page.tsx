import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { FileSearch } from '../../../features/files/file-search.tsx'
import { FileTable } from '../../../features/files/file-table.tsx'
import { fileListQuery } from '../../../features/files/files.api.ts'
import { SlicerHelp } from '../../../features/files/slicer-help.tsx'
import { UploadPanel } from '../../../features/files/upload-panel.tsx'
import type { PrintRequest } from '../../../features/jobs/dialogs/print-dialog.tsx'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { PrintWindow } from '../jobs/print-window.tsx'
import { usePrinterOptions } from '../jobs/use-printer-options.ts'
import { printRequestOf } from './print-request.ts'
import './files-page.css'

const FileDrop = lazy(async () => ({ default: (await import('../../../features/files/file-drop.tsx')).FileDrop }))
const route = getRouteApi('/member/shell/files')

export function FilesPage() {
  const { search } = route.useSearch()
  const list = useInfiniteQuery(fileListQuery(search === undefined ? {} : { search }))
  const mayWrite = useMay('write')
  const { may_make_keys } = useSession()
  const printers = usePrinterOptions()
  const [request, setRequest] = useState<PrintRequest>()
  const print = (file: PrintFile) => setRequest(printRequestOf(file))
  const onPrint = mayWrite ? print : undefined
  return (
    <>
      <PageHeader title="Files" />
      {mayWrite && (
        <Suspense fallback={<Skeleton height={84} radius="md" />}>
          <FileDrop />
        </Suspense>
      )}
      <div className="after-drop">
        <UploadPanel onPrint={onPrint} />
      </div>
      <FileSearch search={search ?? ''} />
      <QueryView query={list} failed="The files could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0 && search !== undefined) {
            return (
              <EmptyState
                icon="search"
                title={`No file has “${search}” in its name`}
                action={
                  <LinkButton to="/files" search={{}} variant="default">
                    Show all
                  </LinkButton>
                }
              />
            )
          }
          if (rows.length === 0) {
            return (
              <EmptyState icon="file" title="No file yet">
                <SlicerHelp mayMakeKeys={may_make_keys} />
              </EmptyState>
            )
          }
          return (
            <>
              <FileTable files={rows} onPrint={onPrint} {...morePages(list)} />
              <details className="slicer-details">
                <summary>Send files straight from a slicer</summary>
                <SlicerHelp mayMakeKeys={may_make_keys} />
              </details>
            </>
          )
        }}
      </QueryView>
      <PrintWindow request={request} printers={printers} onClose={() => setRequest(undefined)} />
    </>
  )
}
