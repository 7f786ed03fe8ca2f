import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { actorWords, eventTime } from '../../../lib/words/actor-words.ts'
import { eventWords } from '../../../lib/words/event-words.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { printerEventsQuery } from '../printers.api.ts'

const commands: Record<string, string> = {
  heaters: t('Heaters set'),
  light: t('Light switched'),
  load_filament: t('Filament loaded'),
  unload_filament: t('Filament unloaded'),
  pause: t('Print of its own paused'),
  resume: t('Print of its own resumed'),
  stop: t('Print of its own stopped'),
}

/** On the page of a printer it need not be named. */
const happenings: Record<string, string> = {
  'printer.created': t('Created'),
  'printer.offline': t('Offline'),
  'printer.online': t('Online'),
  'printer.error': t('Error'),
  'printer.error_ended': t('Error ended'),
  'printer.maintenance_started': t('Maintenance started'),
  'printer.maintenance_ended': t('Maintenance ended'),
  'printer.health_changed': t('Problems changed'),
  'printer.plate_cleared': t('Plate cleared'),
  'printer.plate_unknown': t('Plate not known'),
  'printer.foreign_print': t('Print that is not ours'),
  'printer.moved': t('Found at another address'),
}

const outcomes: Record<string, string> = {
  pending: t(', still to come'),
  unknown: t(', outcome not known'),
  failed: t(', but refused'),
}

/** What happened to a printer, for people. A type of a later service is shown as it is spelt. */
function describe({ type, data }: { type: string; data: unknown }): string {
  if (type !== 'printer.commanded') return happenings[type] ?? eventWords(type)
  const facts = (data ?? {}) as Record<string, unknown>
  const command = String(facts.command)
  return `${commands[command] ?? command}${outcomes[String(facts.outcome)] ?? ''}`
}

/** The latest that happened to a printer: what, when and by whom. */
export function PrinterEvents({ printerId }: { printerId: string }) {
  const list = useInfiniteQuery(printerEventsQuery(printerId))
  return (
    <Panel title={t('Events')}>
      <QueryView query={list} failed={t('The events could not be read')}>
        {(data) => (
          <ul className="plain-list">
            {(rowsOf(data) ?? []).map((event) => (
              <li key={event.id}>
                <Text span size="sm" c="dimmed">
                  <Time at={eventTime(event).at} as="clock" />{' '}
                </Text>
                <Text span size="sm">
                  {describe(event)}{' '}
                  <Text span size="sm" c="dimmed">
                    {t('by {actor}', { actor: actorWords(event.actor, event.actor_name) })}
                  </Text>
                </Text>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  )
}
