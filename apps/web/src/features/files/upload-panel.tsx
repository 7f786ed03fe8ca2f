import { ActionIcon, Button, FileButton, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { asApiError, problemText } from '../../lib/api/api-error.ts'
import type { PrintFile, PrintFileDetail } from '../../lib/api/api-schema.generated.ts'
import { formatBytes } from '../../lib/format.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { PercentBar } from '../../ui/lists/percent-bar.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { RequestFacts } from '../../ui/page/error-state.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import type { Tone } from '../../ui/tone.ts'
import { isOver, type Upload, type UploadState } from './upload-queue.ts'
import { remedyOf } from './upload-remedy.ts'
import { uploads } from './uploads.ts'

const words: Record<UploadState, { tone: Tone; word: string }> = {
  waiting: { tone: 'waiting', word: t('Waiting') },
  sending: { tone: 'working', word: t('Sending') },
  reading: { tone: 'working', word: t('Being read') },
  done: { tone: 'done', word: t('Added') },
  failed: { tone: 'trouble', word: t('Not added') },
  cancelled: { tone: 'away', word: t('Cancelled') },
}

/** Files on their way, and what became of those before. Nothing while there are none. */
export function UploadPanel({ onPrint }: { onPrint: ((file: PrintFile) => void) | undefined }) {
  const list = useSyncExternalStore(uploads.subscribe, uploads.list)
  const queryClient = useQueryClient()
  const done = list.filter(({ state }) => state === 'done').length
  useEffect(() => {
    if (done > 0) void queryClient.invalidateQueries({ queryKey: ['files'] })
  }, [done, queryClient])
  if (list.length === 0) return null
  return (
    <Panel
      title={t('Uploads')}
      actions={
        list.some(({ state }) => isOver(state)) && (
          <Button size="xs" variant="default" onClick={uploads.clear}>
            {t('Clear finished')}
          </Button>
        )
      }
    >
      <ul className="plain-list" aria-label={t('Uploads')}>
        {list.map((upload) => (
          <UploadRow key={upload.key} upload={upload} onPrint={onPrint} />
        ))}
      </ul>
    </Panel>
  )
}

interface UploadRowProps {
  upload: Upload<PrintFileDetail>
  onPrint: ((file: PrintFile) => void) | undefined
}

function UploadRow({ upload, onPrint }: UploadRowProps) {
  const { name, sizeBytes, state, progress, error, result } = upload
  const { tone, word } = words[state]
  return (
    <ListRow
      title={
        <>
          {result ? (
            <LinkText to="/files/$fileId" params={{ fileId: result.id }} fw={600}>
              {result.name}
            </LinkText>
          ) : (
            <Text span fw={600}>
              {name}
            </Text>
          )}
          <StatusBadge tone={tone}>{word}</StatusBadge>
          {result && !result.is_sliced && <StatusBadge tone="waiting">{t('Not sliced')}</StatusBadge>}
          <Text span size="sm" c="dimmed">
            {state === 'sending'
              ? t('{sent} of {total} sent', {
                  sent: formatBytes(Math.round((sizeBytes * progress) / 100)),
                  total: formatBytes(sizeBytes),
                })
              : formatBytes(sizeBytes)}
          </Text>
        </>
      }
      actions={<UploadButtons upload={upload} onPrint={onPrint} />}
    >
      {(state === 'sending' || state === 'reading') && (
        <PercentBar percent={progress} label={t('Upload of {name}', { name })} isMoving={state === 'reading'} />
      )}
      {error !== undefined && <UploadError error={error} />}
      {result && <UploadNotes file={result} />}
    </ListRow>
  )
}

function UploadButtons({ upload: { key, name, state, error, result }, onPrint }: UploadRowProps) {
  const remedy = state === 'failed' ? remedyOf(error) : state === 'cancelled' ? 'send_again' : undefined
  return (
    <Group gap={4} wrap="nowrap">
      {result?.is_sliced && onPrint && (
        <Button size="xs" onClick={() => onPrint(result)}>
          {t('Print this')}
        </Button>
      )}
      {remedy === 'send_again' && (
        <ActionIcon aria-label={t('Send {name} again', { name })} onClick={() => uploads.retry(key)}>
          <Icon name="retry" size={18} />
        </ActionIcon>
      )}
      {remedy === 'choose_another' && (
        <FileButton onChange={(chosen) => chosen && uploads.replace(key, chosen)}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              aria-label={t('Choose another file in place of {name}', { name })}
            >
              {t('Choose another file')}
            </Button>
          )}
        </FileButton>
      )}
      {!isOver(state) && (
        <ActionIcon aria-label={t('Cancel the upload of {name}', { name })} onClick={() => uploads.cancel(key)}>
          <Icon name="close" size={18} />
        </ActionIcon>
      )}
    </Group>
  )
}

function UploadError({ error }: { error: unknown }) {
  const { code, requestId } = asApiError(error)
  return (
    <Text component="div" size="sm" role="alert">
      {problemText(error)} <RequestFacts code={code} requestId={requestId} />
    </Text>
  )
}

/** What a person should know of a file before they print it. */
function UploadNotes({ file: { is_sliced, same_as, warnings } }: { file: PrintFileDetail }) {
  return (
    <>
      {!is_sliced && <Text size="sm">{t('This is a model. Slice it for a printer, and upload the sliced file.')}</Text>}
      {same_as !== null && (
        <Text size="sm">
          <Rich
            text="Its content is the same as that of {name}"
            values={{
              name: (
                <LinkText to="/files/$fileId" params={{ fileId: same_as.id }}>
                  {same_as.name}
                </LinkText>
              ),
            }}
          />
          .
        </Text>
      )}
      {warnings.map((warning) => (
        <Text key={warning} size="sm" c="var(--tone-waiting)">
          {warning}
        </Text>
      ))}
    </>
  )
}
