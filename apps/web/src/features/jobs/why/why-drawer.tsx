import { Accordion, Drawer, Group, List, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JobExplanation } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { jobExplanationQuery } from '../jobs.api.ts'
import { RemedyButton } from './remedy-button.tsx'
import { remedyFor } from './rule-remedies.ts'
import './why-drawer.css'

interface WhyDrawerProps {
  /** Undefined: closed. */
  job: { id: string; name: string } | undefined
  onClose: () => void
}

/** Why a job waits, printer by printer and rule by rule. It stays true while it is open. */
export function WhyDrawer({ job, onClose }: WhyDrawerProps) {
  return (
    <Drawer
      opened={job !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={<Text fw={650}>{t('Reason why {name} waits', { name: job?.name ?? '' })}</Text>}
    >
      {job && <Explanation jobId={job.id} />}
    </Drawer>
  )
}

/** The same without a drawer around it. */
export function Explanation({ jobId }: { jobId: string }) {
  const explanation = useQuery(jobExplanationQuery(jobId))
  return (
    <QueryView query={explanation} failed={t('The reason for waiting could not be read')}>
      {(data) => (
        <Stack gap="sm">
          <Text fw={600}>{serviceSentence(data.sentence)}</Text>
          {data.status === 'queued' && <Summary data={data} />}
          {data.printers.length > 0 && <Verdicts data={data} />}
        </Stack>
      )}
    </QueryView>
  )
}

function Summary({ data }: { data: JobExplanation }) {
  const { jobs_before, printers_ready, printers_total, earliest_start_at } = data
  return (
    <Text size="sm" c="dimmed">
      <Rich
        text="{place} · {printers_ready} of {printers_total, plural, one {# printer} other {# printers}} could start it · {start}"
        values={{
          place:
            jobs_before === 0
              ? t('First in the queue')
              : t('{jobs_before, plural, one {# job} other {# jobs}} before it', { jobs_before }),
          printers_ready,
          printers_total,
          start:
            earliest_start_at === null ? (
              t('a person must act first')
            ) : (
              <Rich text="earliest start {time}" values={{ time: <Time at={earliest_start_at} as="clock" /> }} />
            ),
        }}
      />
    </Text>
  )
}

function Verdicts({ data: { printers, printers_total } }: { data: JobExplanation }) {
  return (
    <>
      <Accordion variant="separated" defaultValue={printers[0]?.printer_id ?? null}>
        {printers.map(({ printer_id, printer_name, can_start, rules }) => {
          const failing = rules.filter(({ passes }) => !passes)
          // What is in the way comes first: the rest is only there to be looked up.
          const ordered = [...failing, ...rules.filter(({ passes }) => passes)]
          return (
            <Accordion.Item key={printer_id} value={printer_id}>
              <Accordion.Control>
                <Group gap="sm" justify="space-between">
                  <Text fw={600}>{printer_name}</Text>
                  <StatusBadge tone={can_start ? 'done' : 'waiting'}>
                    {can_start
                      ? t('Could start it')
                      : t('{failing, plural, one {# rule} other {# rules}} in the way', { failing: failing.length })}
                  </StatusBadge>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <List listStyleType="none" spacing={6} size="sm" className="rule-list">
                  {ordered.map((verdict) => (
                    <RuleItem key={verdict.rule} verdict={verdict} printer={{ id: printer_id, name: printer_name }} />
                  ))}
                </List>
                <Text size="sm" mt="xs">
                  <ThingLink id={printer_id}>{t('All about {name}', { name: printer_name })}</ThingLink>
                </Text>
              </Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
      {printers_total > printers.length && (
        <Text size="sm" c="dimmed">
          {t('And {printers_total, plural, one {# printer} other {# printers}} further from starting it.', {
            printers_total: printers_total - printers.length,
          })}
        </Text>
      )}
    </>
  )
}

type Verdict = JobExplanation['printers'][number]['rules'][number]

function RuleItem({ verdict, printer }: { verdict: Verdict; printer: { id: string; name: string } }) {
  const { passes, sentence, passes_at } = verdict
  const remedy = remedyFor(verdict)
  return (
    <List.Item
      {...(passes && { c: 'dimmed' })}
      icon={
        <ThemeIcon size={20} radius="xl" variant="light" color={passes ? 'yard' : 'red'}>
          <Icon name={passes ? 'check' : 'close'} size={13} strokeWidth={2.6} />
        </ThemeIcon>
      }
    >
      <VisuallyHidden>{passes ? t('Holds: ') : t('In the way: ')}</VisuallyHidden>
      {serviceSentence(sentence)}
      {passes_at !== null && <Rich text=" Until {time}." values={{ time: <Time at={passes_at} as="clock" /> }} />}
      {remedy && (
        <div className="rule-remedy">
          <RemedyButton remedy={remedy} printer={printer} />
        </div>
      )}
    </List.Item>
  )
}
