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
import { ListRow } from '../../ui/lists/list-row.tsx'
import { Picture } from '../../ui/lists/picture.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Time } from '../../ui/time.tsx'

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
            before={
              <Picture
                address={
                  failure.picture_of === null
                    ? undefined
                    : thumbnailAddress({ id: failure.print_file_id, updated_at: failure.picture_of })
                }
                icon="file"
                size="row"
              />
            }
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
            {mayWrite && !failure.resolved && (
              <ChoiceChips
                label={t('What went wrong with {file_name}', { file_name: failure.file_name })}
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
