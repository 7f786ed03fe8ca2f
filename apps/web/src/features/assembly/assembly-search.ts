/** The list of assembly tasks as it stands in the address. */
export interface AssemblySearch {
  /** Left out: all, those that are open first. */
  status?: 'pending' | 'in_progress' | 'completed' | 'cancelled'
  kind?: 'print_assembly' | 'kit_assembly'
}

const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const
const kinds = ['print_assembly', 'kit_assembly'] as const

export function readAssemblySearch({ status, kind }: Record<string, unknown>): AssemblySearch {
  const [knownStatus, knownKind] = [statuses.find((each) => each === status), kinds.find((each) => each === kind)]
  return { ...(knownStatus && { status: knownStatus }), ...(knownKind && { kind: knownKind }) }
}
