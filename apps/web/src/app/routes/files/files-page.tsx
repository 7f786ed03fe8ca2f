import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { fileListQuery } from '../../../features/files/files.api.ts'
import { FileGrid } from '../../../features/files/library/file-grid.tsx'
import { FileTable } from '../../../features/files/library/file-table.tsx'
import { FolderDialog } from '../../../features/files/library/folder-dialog.tsx'
import { FolderLine } from '../../../features/files/library/folder-line.tsx'
import { LibraryBar } from '../../../features/files/library/library-bar.tsx'
import { fileFiltersOf } from '../../../features/files/library/library-search.ts'
import { SelectedFiles } from '../../../features/files/library/selected-files.tsx'
import { TagsDialog } from '../../../features/files/library/tags-dialog.tsx'
import { RenameDialog } from '../../../features/files/rename-dialog.tsx'
import { SlicerHelp } from '../../../features/files/slicer-help.tsx'
import { UploadPanel } from '../../../features/files/upload-panel.tsx'
import { useFileActions } from '../../../features/files/use-file-actions.ts'
import type { PrintRequest } from '../../../features/jobs/dialogs/print-dialog.tsx'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadingBlock } from '../../../ui/page/loading.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { PrintWindow } from '../jobs/print-window.tsx'
import { usePrinterOptions } from '../jobs/use-printer-options.ts'
import { printRequestOf } from './print-request.ts'
import './files-page.css'

const FileDrop = lazy(async () => ({ default: (await import('../../../features/files/file-drop.tsx')).FileDrop }))
const route = getRouteApi('/member/shell/files')

export function FilesPage() {
  const search = route.useSearch()
  const list = useInfiniteQuery(fileListQuery(fileFiltersOf(search)))
  const mayWrite = useMay('write')
  const { may_make_keys } = useSession()
  const printers = usePrinterOptions()
  const [request, setRequest] = useState<PrintRequest>()
  const print = (file: PrintFile) => setRequest(printRequestOf(file))
  const onPrint = mayWrite ? print : undefined
  const actions = useFileActions()
  const [dialog, setDialog] = useState<{ kind: 'rename' | 'tags' | 'folder'; file: PrintFile }>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const select = (id: string, isSelected: boolean) =>
    setSelected((before) => new Set(isSelected ? [...before, id] : [...before].filter((each) => each !== id)))
  const doings = mayWrite
    ? {
        actions,
        onPrint: print,
        onRename: (file: PrintFile) => setDialog({ kind: 'rename', file }),
        onTag: (file: PrintFile) => setDialog({ kind: 'tags', file }),
        onMove: (file: PrintFile) => setDialog({ kind: 'folder', file }),
      }
    : undefined
  const List = search.as === 'grid' ? FileGrid : FileTable
  return (
    <>
      <PageHeader title={t('Files')} />
      {mayWrite && (
        <Suspense fallback={<LoadingBlock height={84} />}>
          <FileDrop folder={search.folder ?? ''} />
        </Suspense>
      )}
      <div className="after-drop">
        <UploadPanel onPrint={onPrint} />
      </div>
      <LibraryBar search={search} />
      <FolderLine search={search} />
      <QueryView query={list} failed={t('The files could not be read')}>
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0 && (search.search ?? search.tag ?? search.folder) !== undefined) {
            return (
              <EmptyState
                icon="search"
                title={
                  search.tag === undefined && search.folder === undefined
                    ? t('No file has “{search}” in its name', { search: search.search ?? '' })
                    : t('No file here matches')
                }
                action={
                  <LinkButton to="/files" search={search.as ? { as: search.as } : {}} variant="default">
                    {t('Show all')}
                  </LinkButton>
                }
              />
            )
          }
          if (rows.length === 0) {
            return (
              <EmptyState icon="file" title={t('No file yet')}>
                <SlicerHelp mayMakeKeys={may_make_keys} />
              </EmptyState>
            )
          }
          return (
            <>
              <SelectedFiles files={rows} chosen={rows.filter(({ id }) => selected.has(id))} onSelect={setSelected} />
              <List files={rows} doings={doings} selected={selected} onSelect={select} {...morePages(list)} />
              <details className="slicer-details">
                <summary>{t('Send files straight from a slicer')}</summary>
                <SlicerHelp mayMakeKeys={may_make_keys} />
              </details>
            </>
          )
        }}
      </QueryView>
      {dialog?.kind === 'rename' && <RenameDialog file={dialog.file} onClose={() => setDialog(undefined)} />}
      {dialog?.kind === 'folder' && <FolderDialog files={[dialog.file]} onClose={() => setDialog(undefined)} />}
      {dialog?.kind === 'tags' && <TagsDialog file={dialog.file} onClose={() => setDialog(undefined)} />}
      <PrintWindow request={request} printers={printers} onClose={() => setRequest(undefined)} />
    </>
  )
}
