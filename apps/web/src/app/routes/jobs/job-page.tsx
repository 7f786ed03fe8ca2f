import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { JobCostPanel } from '../../../features/costs/cost-panels.tsx'
import { useJobDialogs } from '../../../features/jobs/dialogs/job-dialogs.tsx'
import { JobButtons } from '../../../features/jobs/job-buttons.tsx'
import { priorityWord } from '../../../features/jobs/job-priority.tsx'
import { presentJobStatus } from '../../../features/jobs/job-state.ts'
import { subjectOf } from '../../../features/jobs/job-subject.ts'
import { JobEvents, JobTries } from '../../../features/jobs/job-tries.tsx'
import { jobPlanQuery } from '../../../features/jobs/jobs.api.ts'
import { NameProduct } from '../../../features/jobs/name-product.tsx'
import { DueMark } from '../../../features/jobs/queue/due-mark.tsx'
import { JobProgress } from '../../../features/jobs/queue/running-list.tsx'
import { useJobActions } from '../../../features/jobs/use-job-actions.ts'
import { usePrintAgain } from '../../../features/jobs/use-print-again.ts'
import { Explanation } from '../../../features/jobs/why/why-drawer.tsx'
import type { JobDetail, JobPlan } from '../../../lib/api/api-schema.generated.ts'
import { jobQuery } from '../../../lib/api/shared-queries.ts'
import { formatCount, formatGrams, formatMinutes } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { actorWords } from '../../../lib/words/actor-words.ts'
import { colorWords } from '../../../lib/words/color-words.ts'
import { reasonWords } from '../../../lib/words/reason-words.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { ForOrders } from '../../../ui/production/for-orders.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { PrintWindow } from './print-window.tsx'
import { usePrinterOptions } from './use-printer-options.ts'

const route = getRouteApi('/member/shell/jobs/$jobId')

export function JobPage() {
  const { jobId } = route.useParams()
  const found = useQuery(jobQuery(jobId))
  const planned = useQuery(jobPlanQuery(jobId))
  const both = {
    data: found.data && planned.data ? { job: found.data, plan: planned.data } : undefined,
    error: found.error ?? planned.error,
    refetch: () => Promise.all([found.refetch(), planned.refetch()]),
  }
  return (
    <QueryView query={both} failed={t('The job could not be read')}>
      {({ job, plan }) => <JobView job={job} plan={plan} />}
    </QueryView>
  )
}

function JobView({ job, plan }: { job: JobDetail; plan: JobPlan }) {
  const actions = useJobActions()
  const printers = usePrinterOptions()
  const dialogs = useJobDialogs(printers)
  const again = usePrintAgain()
  const maySeeCosts = useMay('admin')
  const subject = subjectOf(job)
  const { priority, due_date, any_color, needs_look } = plan
  const { color, filament_type } = job
  const { tone, word } = presentJobStatus(job.status)
  const isOver = job.status === 'completed' || job.status === 'failed' || job.status === 'cancelled'
  return (
    <>
      <PageHeader
        title={subject.name}
        badge={<StatusBadge tone={needs_look ? 'unknown' : tone}>{needs_look ? t('Needs a check') : word}</StatusBadge>}
        description={
          isOver ? <LinkText to="/history">{t('History')}</LinkText> : <LinkText to="/queue">{t('Queue')}</LinkText>
        }
        actions={
          <JobButtons
            job={{ ...subject, priority, due_date, any_color, color, filament_type, needs_look }}
            actions={actions}
            dialogs={dialogs}
            onPrintAgain={() => void again.printAgain(job.id, subject.name)}
          />
        }
      />
      <Stack gap="md">
        {job.failure_reason !== null && (
          <Alert
            color={job.status === 'failed' ? 'red' : 'yellow'}
            variant="light"
            icon={<Icon name="warning" />}
            title={job.status === 'failed' ? t('Reason of the failure') : t('Latest event')}
          >
            {reasonWords(job.failure_reason)}
          </Alert>
        )}
        {plan.cancel_requested && !isOver && (
          <Alert color="yellow" variant="light" icon={<Icon name="clock" />}>
            {t('Its cancellation waits for its hub, which is away. The hub is told first of all when it is back.')}
          </Alert>
        )}
        <Panel title={t('The job')}>
          {!isOver && <JobProgress percent={job.progress_percentage} name={subject.name} />}
          <JobFacts job={job} plan={plan} />
        </Panel>
        {job.product_sku_id === null && <NameProduct jobId={job.id} name={subject.name} />}
        {plan.outputs.length > 0 && (
          <Panel title={t('Output')}>
            <Stack gap="sm">
              <Facts
                facts={plan.outputs.map((output) => [
                  <ThingLink key="sku" id={output.product_sku_id}>
                    {`${output.product_name}, ${output.sku}`}
                  </ThingLink>,
                  yieldOf(output),
                  output.product_sku_id,
                ])}
              />
              <ForOrders orders={plan.for_orders} />
            </Stack>
          </Panel>
        )}
        {job.status === 'queued' && (
          <Panel title={t('Reason for waiting')}>
            <Explanation jobId={job.id} />
          </Panel>
        )}
        {maySeeCosts && <JobCostPanel jobId={job.id} />}
        <Panel title={t('Plates tried')}>
          <JobTries attempts={plan.attempts} jobStatus={job.status} />
        </Panel>
        <Panel title={t('Events')}>
          <JobEvents events={plan.events} />
        </Panel>
      </Stack>
      {dialogs.element}
      <PrintWindow request={again.request} printers={printers} onClose={again.close} />
    </>
  )
}

/** `6 units, 2 rejected, 4 in stock` */
function yieldOf({ units, units_rejected, units_credited }: JobPlan['outputs'][number]): string {
  const parts = [t('{units, plural, one {# unit} other {# units}}', { units })]
  if (units_rejected > 0) parts.push(t('{units_rejected} rejected', { units_rejected: formatCount(units_rejected) }))
  if (units_credited > 0)
    parts.push(t('{units_credited} put into stock', { units_credited: formatCount(units_credited) }))
  return parts.join(', ')
}

function JobFacts({ job, plan }: { job: JobDetail; plan: JobPlan }) {
  const { estimated_print_time_minutes: estimated, actual_print_time_minutes: actual } = job
  return (
    <Facts
      isGrid
      facts={[
        [
          t('File'),
          plan.file_deleted ? (
            t('{file_name} (deleted)', { file_name: job.file_name })
          ) : (
            <LinkText key="file" to="/files/$fileId" params={{ fileId: plan.print_file_id }}>
              {t('{file_name}, version {file_version_number}', {
                file_name: job.file_name,
                file_version_number: plan.file_version_number,
              })}
            </LinkText>
          ),
        ],
        [
          t('Printer'),
          job.printer_id === null ? (
            t('Any that fits')
          ) : (
            <LinkText key="printer" to="/printers/$printerId" params={{ printerId: job.printer_id }}>
              {job.printer_name ?? job.printer_id}
            </LinkText>
          ),
        ],
        [
          t('Units'),
          t('{number_of_units, plural, one {# unit} other {# units}}, {quantity_per_print} per plate', {
            number_of_units: job.number_of_units,
            quantity_per_print: formatCount(plan.quantity_per_print),
          }),
        ],
        [
          t('Plates'),
          t('{plates_done} of {plates_total} done', { plates_done: plan.plates_done, plates_total: plan.plates_total }),
        ],
        [t('Rejected units'), plan.units_rejected > 0 ? formatCount(plan.units_rejected) : null],
        [t('Filament'), job.filament_type],
        [
          t('Colour'),
          job.color === '' ? t('Any') : `${colorWords(job.color)}${plan.any_color ? t(' or any colour') : ''}`,
        ],
        [t('Filament needed'), job.filament_needed_grams === null ? null : formatGrams(job.filament_needed_grams)],
        [t('Priority'), priorityWord(plan.priority)],
        [t('Due'), plan.due_date === null ? null : <DueMark key="due" at={plan.due_date} />],
        [t('Estimated time'), estimated === null ? null : formatMinutes(estimated)],
        [t('Time taken'), actual === null ? null : formatMinutes(actual)],
        [
          t('Queued'),
          <Text key="queued" span size="sm">
            <Rich
              text="{time} by {created_by}"
              values={{
                time: <Time at={job.time_submitted} as="full" />,
                created_by: actorWords(plan.created_by, plan.created_by_name),
              }}
            />
          </Text>,
        ],
        [t('Started'), job.time_started === null ? null : <Time key="started" at={job.time_started} as="full" />],
        [t('Ended'), job.time_completed === null ? null : <Time key="ended" at={job.time_completed} as="full" />],
      ]}
    />
  )
}
