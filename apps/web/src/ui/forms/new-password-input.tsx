import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** The service's own rule; it has the last word. */
const shortestPassword = 12

/** A password to be made up, known to password managers as such. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="Password"
      description={`At least ${shortestPassword} characters. A few words in a row are easy to remember.`}
      autoComplete="new-password"
      required
      minLength={shortestPassword}
      {...props}
    />
  )
}
