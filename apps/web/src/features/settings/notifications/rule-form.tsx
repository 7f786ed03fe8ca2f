import { Checkbox, Group, Modal, MultiSelect, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import type { NotificationChannel, NotificationRule } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { type FarmChoices, RuleScopeFields } from '../rule-scope-fields.tsx'
import { kindWords, severityWords } from './notification-words.ts'
import { useSaveRule } from './notifications.api.ts'

type Body = BodyOf<'POST /notification-rules'>

interface RuleDialogProps {
  /** The rule to change; without one a new one is added. */
  rule?: NotificationRule
  channels: readonly NotificationChannel[]
  memberNames: ReadonlyMap<string, string>
  farm: FarmChoices
  onClose: () => void
}

const fresh = {
  name: '',
  kinds: ['needs_person'] as string[],
  least_severity: 'low',
  locations: [] as string[],
  printer_ids: [] as string[],
  product_ids: [] as string[],
  channel_ids: [] as string[],
  user_ids: [] as string[],
  to_acting_members: false,
  to_on_shift: false,
  quiet_from: '',
  quiet_to: '',
  urgent_passes: true,
  digest_minutes: 0 as number | string,
}
type Values = typeof fresh

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const { test: _test, automation: _automation, ...ruleKinds } = kindWords

export function RuleDialog({ rule, channels, memberNames, farm, onClose }: RuleDialogProps) {
  const initialValues: Values = rule ? valuesOf(rule) : fresh
  const form = useForm<Values>({ mode: 'controlled', initialValues })
  const save = useSaveRule(rule?.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: bodyOf,
    done: ({ name }) => t('The rule {name} is saved', { name }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={rule ? t('Change the rule') : t('Add a rule')} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput label={t('Name')} required maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <MultiSelect label={t('Events')} data={options(ruleKinds)} required {...form.getInputProps('kinds')} />
          <Select
            label={t('At least')}
            data={options(severityWords)}
            allowDeselect={false}
            {...form.getInputProps('least_severity')}
          />
          <MultiSelect
            label={t('Channels')}
            data={channels.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('channel_ids')}
          />
          <MultiSelect
            label={t('Devices of these members')}
            data={[...memberNames].map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('user_ids')}
          />
          <Checkbox
            label={t('Devices of all members who may act')}
            {...form.getInputProps('to_acting_members', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('Devices of those on shift')}
            description={t(
              'Of the channels above that belong to a member, only theirs. While no one is on shift, owners and admins are notified',
            )}
            {...form.getInputProps('to_on_shift', { type: 'checkbox' })}
          />
          <RuleScopeFields form={form} choices={farm} />
          <Group grow>
            <TextInput label={t('Quiet from')} type="time" {...form.getInputProps('quiet_from')} />
            <TextInput label={t('Quiet until')} type="time" {...form.getInputProps('quiet_to')} />
          </Group>
          <Checkbox
            label={t('High severity passes quiet hours')}
            {...form.getInputProps('urgent_passes', { type: 'checkbox' })}
          />
          <NumberInput
            label={t('Minutes to collect')}
            description={t('0 sends at once. High severity never waits')}
            min={0}
            max={1440}
            allowDecimal={false}
            {...form.getInputProps('digest_minutes')}
          />
          <FormButtons label={rule ? t('Save') : t('Add the rule')} isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

function valuesOf(rule: NotificationRule): Values {
  const { id: _id, is_active: _active, time_zone: _zone, created_at: _made, updated_at: _changed, ...values } = rule
  return { ...values, quiet_from: rule.quiet_from ?? '', quiet_to: rule.quiet_to ?? '' }
}

function bodyOf(values: Values): Body {
  return {
    ...values,
    // The selects offer what the service takes.
    kinds: values.kinds as Body['kinds'],
    least_severity: values.least_severity as NonNullable<Body['least_severity']>,
    quiet_from: values.quiet_from === '' ? null : values.quiet_from,
    quiet_to: values.quiet_to === '' ? null : values.quiet_to,
    digest_minutes: Number(values.digest_minutes),
  }
}
