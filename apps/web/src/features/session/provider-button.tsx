import { Button, Divider } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiPrefix } from '../../lib/api/api-client.ts'
import { providerQuery } from './session.api.ts'

/** Sign-in by the farm's own provider, where one is configured; otherwise nothing. */
export function ProviderButton() {
  const { data } = useQuery(providerQuery)
  if (!data?.configured) return null
  return (
    <>
      <Divider label="or" />
      <Button component="a" href={`${apiPrefix}/oidc/start`} variant="default" size="md">
        Sign in with {data.name}
      </Button>
    </>
  )
}
