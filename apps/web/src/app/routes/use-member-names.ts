import { useQuery } from '@tanstack/react-query'
import { assigneesQuery } from '../../features/worklist/worklist.api.ts'

/** Names of members by the IDs that records know them by; the first hundred. */
export function useMemberNames(): ReadonlyMap<string, string> {
  const members = useQuery(assigneesQuery()).data ?? []
  return new Map(members.map(({ user_id, name }) => [user_id, name]))
}
