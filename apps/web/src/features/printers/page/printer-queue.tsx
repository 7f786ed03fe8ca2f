import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { formatMinutes } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { printerQueueQuery } from '../printers.api.ts'
import './printer-queue.css'

/** The jobs that would print here, in their order. */
export function PrinterQueue({ printerId }: { printerId: string }) {
  const queue = useInfiniteQuery(printerQueueQuery(printerId))
  return (
    <Panel title={t('Next here')} actions={<LinkText to="/queue">{t('Whole queue')}</LinkText>}>
      <QueryView query={queue} failed={t('The queue could not be read')}>
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <Text c="dimmed">
                <Rich
                  text="No queued job fits this printer. <link>Print a file</link>"
                  values={{ link: (words) => <LinkText to="/files">{words}</LinkText> }}
                />
              </Text>
            )
          }
          return (
            <>
              <ol className="queue-here">
                {rows.map(({ job_id, file_name, estimated_minutes, estimated_start_at, is_assigned }) => (
                  <li key={job_id}>
                    <Text>
                      <ThingLink id={job_id} fw={600}>
                        {file_name}
                      </ThingLink>
                    </Text>
                    <Text size="sm" c="dimmed">
                      {[
                        is_assigned ? t('For this printer') : t('Fits this printer'),
                        estimated_minutes === null ? '' : formatMinutes(estimated_minutes),
                      ]
                        .filter(Boolean)
                        .join(', ')}
                      {estimated_start_at !== null && (
                        <Rich
                          text=", starts about {time}"
                          values={{ time: <Time at={estimated_start_at} as="clock" /> }}
                        />
                      )}
                    </Text>
                  </li>
                ))}
              </ol>
              {queue.hasNextPage && (
                <Button
                  variant="default"
                  mt="sm"
                  loading={queue.isFetchingNextPage}
                  onClick={() => void queue.fetchNextPage()}
                >
                  {t('Show more')}
                </Button>
              )}
            </>
          )
        }}
      </QueryView>
    </Panel>
  )
}
