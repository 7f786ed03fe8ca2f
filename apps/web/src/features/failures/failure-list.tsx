import { Button, Text } from '@mantine/core'
import { api } from '../../lib/api/api.ts'
import type { PrintFailure } from '../../lib/api/api-schema.generated.ts'
import { thumbnailAddress } from '../../lib/api/file-addresses.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { type FailureType, failureWords, seenFailures } from '../../lib/words/failure-words.ts'
import { reasonWords } from '../../lib/words/reason-words.ts'
import { useActions } from '../../ui/dialogs/use-actions.ts'
import { ChoiceChips } from '../../ui/forms/choice-chips.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { CameraPicture } from '../../ui/lists/camera-picture.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { Picture } from '../../ui/lists/picture.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Time } from '../../ui/time.tsx'
import './failure-pictures.css'

/** What the camera saw, and what was to be printed. */
function FailurePictures({ failure }: { failure: PrintFailure }) {
  const { id, camera_picture_at, printer_name, picture_of, print_file_id } = failure
  return (
    <div className="failure-pictures">
      {camera_picture_at !== null && (
        <CameraPicture failureId={id} takenAt={camera_picture_at} printerName={printer_name} />
      )}
      <Picture
        address={picture_of === null ? undefined : thumbnailAddress({ id: print_file_id, updated_at: picture_of })}
        icon="file"
        size="row"
      />
    </div>
  )
}

/** Prints that failed or were stopped, with what a person says of each. */
export function FailureList({ failures }: { failures: readonly PrintFailure[] }) {
  const mayWrite = useMay('write')
  const actions = useActions('overview', 'reports')
  const change = ({ id, file_name }: PrintFailure, body: { type?: FailureType; resolved?: boolean }) =>
    actions.perform({
      id,
      call: async () => {
        await api.call('PATCH /analytics/failures/{id}', { params: { id }, body })
      },
      failed: t('The failure of {file_name} was not changed', { file_name }),
    })
  return (
    <Panel>
      <ul className="plain-list" aria-label={t('Failures')}>
        {failures.map((failure) => (
          <ListRow
            key={failure.id}
            isStacked
            before={<FailurePictures failure={failure} />}
            title={
              <>
                <LinkText to="/jobs/$jobId" params={{ jobId: failure.job_id }} fw={600}>
                  {failure.file_name}
                </LinkText>
                <StatusBadge tone={failure.resolved ? 'done' : 'trouble'}>
                  {failure.resolved ? t('Looked into') : failureWords[failure.type]}
                </StatusBadge>
              </>
            }
            actions={
              mayWrite && (
                <Button
                  size="xs"
                  variant={failure.resolved ? 'default' : 'light'}
                  leftSection={<Icon name={failure.resolved ? 'retry' : 'check'} size={16} />}
                  loading={actions.busyId === failure.id}
                  aria-label={`${failure.resolved ? t('Open again') : t('Looked into')}: ${failure.file_name}`}
                  onClick={() => void change(failure, { resolved: !failure.resolved })}
                >
                  {failure.resolved ? t('Open again') : t('Looked into')}
                </Button>
              )
            }
          >
            <Text size="sm" c="dimmed">
              <Rich
                text="On {printer_name}"
                values={{
                  printer_name: (
                    <LinkText to="/printers/$printerId" params={{ printerId: failure.printer_id }}>
                      {failure.printer_name}
                    </LinkText>
                  ),
                }}
              />
              , <Time at={failure.occurred_at} />
              {failure.reason !== null && ` · ${reasonWords(failure.reason)}`}
              {failure.resolved && ` · ${failureWords[failure.type]}`}
            </Text>
            {failure.camera_picture_at !== null && (
              <Text size="xs" c="dimmed">
                <Rich
                  text="Camera picture of {time}"
                  values={{ time: <Time at={failure.camera_picture_at} as="clock" /> }}
                />
              </Text>
            )}
            {mayWrite && !failure.resolved && (
              <ChoiceChips
                label={t('Failure of {file_name}', { file_name: failure.file_name })}
                options={seenFailures}
                value={failure.type}
                onChoose={(type) => void change(failure, { type })}
              />
            )}
          </ListRow>
        ))}
      </ul>
    </Panel>
  )
}
