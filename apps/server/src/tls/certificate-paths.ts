/** Path at which a phone fetches what it needs to trust this service. */
export const certificatePath = '/certificate'
/** The file of the authority. */
export const authorityPath = '/certificate/printyard-ca.crt'
