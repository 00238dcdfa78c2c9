/** Which service is compiled. */
export interface Place {
  readonly api: string;
  readonly version: number;
  readonly service: string;
}
