import { Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MaterialDialog } from '../../../features/materials/material-dialog.tsx'
import { materialValuesOf, spoolValuesOf } from '../../../features/materials/material-values.ts'
import { CameraScan } from '../../../features/scan/camera-scan.tsx'
import { putTagOn, readTag, type UnknownTag } from '../../../features/scan/scan.api.ts'
import { ScanField } from '../../../features/scan/scan-field.tsx'
import { scannedId } from '../../../features/scan/scanned-id.ts'
import { UnknownTagNote } from '../../../features/scan/unknown-tag-note.tsx'
import { problemText } from '../../../lib/api/api-error.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { kindOf } from '../../../lib/things.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'

export function ScanPage() {
  const navigate = useNavigate()
  const mayPut = useMay('write')
  const { perform } = useActions('materials')
  const [tag, setTag] = useState<UnknownTag>()
  const [isAdding, setIsAdding] = useState(false)
  const putOn = (id: string, { code }: UnknownTag) =>
    perform({
      id,
      call: () => putTagOn(id, code),
      done: t('The tag is on the spool'),
      failed: t('The tag could not be put on the spool'),
    })
  async function open(id: string): Promise<void> {
    if (tag?.isOneOfAKind && mayPut && kindOf(id) === 'spool' && !(await putOn(id, tag))) return
    void navigate({ to: '/s/$id', params: { id } })
  }
  /** Its page says which tags it has, also when the tag could not be put on. */
  async function goOn(spoolId: string): Promise<void> {
    if (tag?.isOneOfAKind) await putOn(spoolId, tag)
    void navigate({ to: '/materials/$kind/$materialId', params: { kind: 'filament', materialId: spoolId } })
  }
  async function readOther(text: string): Promise<string | undefined> {
    try {
      const read = await readTag(text)
      if (read === undefined) return t('“{text}” is no label of this farm.', { text })
      if ('code' in read) setTag(read)
      else void open(read.spoolId)
      return undefined
    } catch (error) {
      return problemText(error)
    }
  }
  return (
    <Stack maw="34rem" gap="md">
      <PageHeader
        title={t('Scan')}
        description={t('The label of a printer opens the work to do there, the tag of a spool the page of the spool.')}
      />
      <ScanField onId={(id) => void open(id)} onOther={readOther} />
      {tag && (
        <UnknownTagNote
          tag={tag}
          mayPut={mayPut}
          onAddSpool={() => setIsAdding(true)}
          onForget={() => setTag(undefined)}
        />
      )}
      {tag && isAdding && (
        <MaterialDialog
          kind="filament"
          begin={tag.says === null ? materialValuesOf('filament', undefined) : spoolValuesOf(tag.says)}
          onAdded={({ id }) => void goOn(id)}
          onClose={() => setIsAdding(false)}
        />
      )}
      <CameraScan
        onCode={(text) => {
          const id = scannedId(text)
          // The camera sees other codes, too: they are passed over in silence until a label comes into the picture.
          if (id !== undefined) void open(id)
        }}
      />
      <Text size="sm" c="dimmed">
        <Rich
          text="No labels yet? <link>Print some</link>"
          values={{
            link: (words) => (
              <LinkText to="/labels" underline="always">
                {words}
              </LinkText>
            ),
          }}
        />
        .
      </Text>
    </Stack>
  )
}
