import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'

/** The service's own rule; it has the last word. */
const shortestPassword = 12

/** A password to be made up, known to password managers as such. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label={t('Password')}
      description={t('At least {shortestPassword} characters. A few words in a row are easy to remember.', {
        shortestPassword,
      })}
      autoComplete="new-password"
      required
      minLength={shortestPassword}
      {...props}
    />
  )
}
