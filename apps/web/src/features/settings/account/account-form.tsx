import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Account } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangeAccount } from '../settings.api.ts'
import { timeZones } from './time-zones.ts'

/** Name, clock and rules of the account. Only what was changed is sent. */
export function AccountForm({ account }: { account: Account }) {
  const { name, time_zone, requeue_rejected_units, require_second_factor } = account
  const given = { name, time_zone, requeue_rejected_units, require_second_factor }
  const isOwner = useMay('owner')
  const form = useForm({ mode: 'controlled', initialValues: given })
  const change = useChangeAccount()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: (values) => changedFields(given, values),
    done: () => t('The account is saved'),
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <TextInput label={t('Name of the farm')} required maxLength={200} {...form.getInputProps('name')} />
        <Select
          label={t('Time zone')}
          description={t('Time zone of the days, working hours and times of this account')}
          data={timeZones(time_zone)}
          searchable
          allowDeselect={false}
          limit={80}
          nothingFoundMessage={t('No zone is called so')}
          {...form.getInputProps('time_zone')}
        />
        <Switch
          label={t('Print rejected units again')}
          description={t('Units that are found bad are queued again by a new job')}
          {...form.getInputProps('requeue_rejected_units', { type: 'checkbox' })}
        />
        <Switch
          label={t('Members need a second factor')}
          description={
            isOwner
              ? t('Members who sign in by a password alone must first add an app or a passkey, you too')
              : t('Set by owners')
          }
          disabled={!isOwner}
          {...form.getInputProps('require_second_factor', { type: 'checkbox' })}
        />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!isChanged(account, form.values)}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function isChanged(account: Account, values: Partial<Account>): boolean {
  return Object.keys(changedFields({ ...account }, { ...values })).length > 0
}
