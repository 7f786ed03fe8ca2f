import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FilePicture } from '../../../features/files/file-picture.tsx'
import { FileUses } from '../../../features/files/file-uses.tsx'
import { FileVersions } from '../../../features/files/file-versions.tsx'
import { contentAddress } from '../../../features/files/files.api.ts'
import { TagLinks } from '../../../features/files/library/file-marks.tsx'
import { FolderDialog } from '../../../features/files/library/folder-dialog.tsx'
import { FolderIcon } from '../../../features/files/library/folder-icon.tsx'
import { TagsDialog } from '../../../features/files/library/tags-dialog.tsx'
import { RenameDialog } from '../../../features/files/rename-dialog.tsx'
import { slicerFacts } from '../../../features/files/slicer-facts.ts'
import { useFileActions } from '../../../features/files/use-file-actions.ts'
import type { PrintRequest } from '../../../features/jobs/dialogs/print-dialog.tsx'
import type { PrintFileDetail } from '../../../lib/api/api-schema.generated.ts'
import { fileQuery } from '../../../lib/api/shared-queries.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { PrintWindow } from '../jobs/print-window.tsx'
import { usePrinterOptions } from '../jobs/use-printer-options.ts'
import { printRequestOf } from './print-request.ts'
import '../../../features/files/library/library.css'
import './file-page.css'

const route = getRouteApi('/member/shell/files/$fileId')

export function FilePage() {
  const { fileId } = route.useParams()
  const found = useQuery(fileQuery(fileId))
  return (
    <QueryView query={found} failed={t('The file could not be read')}>
      {(file) => <FileView file={file} />}
    </QueryView>
  )
}

function FileView({ file }: { file: PrintFileDetail }) {
  const navigate = useNavigate()
  const mayWrite = useMay('write')
  const actions = useFileActions()
  const printers = usePrinterOptions()
  const [request, setRequest] = useState<PrintRequest>()
  const [dialog, setDialog] = useState<'rename' | 'tags' | 'folder'>()
  const remove = async () => {
    if (await actions.remove(file)) void navigate({ to: '/files', search: {} })
  }
  return (
    <>
      <PageHeader
        title={file.name}
        description={
          <>
            <LinkText to="/files">{t('Files')}</LinkText> ·{' '}
            <LinkText to="/history" search={{ file: file.id }}>
              {t('Its prints in the history')}
            </LinkText>
          </>
        }
        actions={
          <>
            {mayWrite && (
              <Button leftSection={<Icon name="printer" size={16} />} onClick={() => setRequest(printRequestOf(file))}>
                {t('Print this')}
              </Button>
            )}
            <Button
              component="a"
              variant="default"
              href={contentAddress(file.id)}
              download={file.name}
              leftSection={<Icon name="download" size={16} />}
            >
              {t('Download')}
            </Button>
            {mayWrite && (
              <>
                <Button
                  variant="default"
                  leftSection={<Icon name="edit" size={16} />}
                  onClick={() => setDialog('rename')}
                >
                  {t('Rename')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Icon name="label" size={16} />}
                  onClick={() => setDialog('tags')}
                >
                  {t('Tags')}
                </Button>
                <Button variant="default" leftSection={<FolderIcon size={16} />} onClick={() => setDialog('folder')}>
                  {t('Folder')}
                </Button>
                <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => void remove()}>
                  {t('Delete')}
                </Button>
              </>
            )}
          </>
        }
      />
      <Stack gap="md">
        <Panel title={t('Data from the slicer')}>
          <div className="file-facts">
            <FilePicture file={file} size="page" />
            <Facts isGrid facts={slicerFacts(file)} />
          </div>
          <TagLinks file={file} />
        </Panel>
        <FileVersions file={file} actions={actions} />
        <FileUses fileId={file.id} />
      </Stack>
      {dialog === 'rename' && <RenameDialog file={file} onClose={() => setDialog(undefined)} />}
      {dialog === 'folder' && <FolderDialog files={[file]} onClose={() => setDialog(undefined)} />}
      {dialog === 'tags' && <TagsDialog file={file} onClose={() => setDialog(undefined)} />}
      <PrintWindow request={request} printers={printers} onClose={() => setRequest(undefined)} />
    </>
  )
}
