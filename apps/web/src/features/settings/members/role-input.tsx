import { Radio, Stack } from '@mantine/core'
import type { Role } from '../../../lib/api/api-routes.ts'
import { t } from '../../../lib/i18n/t.ts'
import { roleSentences, roleWords } from '../../../lib/roles.ts'

interface RoleInputProps {
  choices: readonly Role[]
  value: Role
  onChange: (role: Role) => void
  error?: string | undefined
}

/** A role, with what each of them may do. */
export function RoleInput({ choices, value, onChange, error }: RoleInputProps) {
  return (
    <Radio.Group
      label={t('Role')}
      value={value}
      onChange={(chosen) => onChange(choices.find((role) => role === chosen) ?? value)}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {choices.map((role) => (
          <Radio key={role} value={role} label={roleWords[role]} description={roleSentences[role]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
