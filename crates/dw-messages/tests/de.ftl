# A language with two messages: what it lacks is said in English.
verify-met = { $requirements ->
    [one] die Anforderung ist erfüllt
   *[other] alle { $requirements } Anforderungen sind erfüllt
}
plan-infeasible = kein Angebot genügt: { $limits }{ $nearest }
