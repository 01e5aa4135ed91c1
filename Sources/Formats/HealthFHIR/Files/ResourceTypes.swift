/// The types of resources that FHIR R4 has (http://hl7.org/fhir/R4/resourcelist.html).
enum ResourceTypes: Sendable {
    /// The types, without `OperationOutcome`, which is no record.
    static let all = Set(
        """
        Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse \
        AuditEvent Basic Binary BiologicallyDerivedProduct BodyStructure Bundle CapabilityStatement \
        CarePlan CareTeam CatalogEntry ChargeItem ChargeItemDefinition Claim ClaimResponse \
        ClinicalImpression CodeSystem Communication CommunicationRequest CompartmentDefinition \
        Composition ConceptMap Condition Consent Contract Coverage CoverageEligibilityRequest \
        CoverageEligibilityResponse DetectedIssue Device DeviceDefinition DeviceMetric DeviceRequest \
        DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference EffectEvidenceSynthesis \
        Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare EventDefinition Evidence \
        EvidenceVariable ExampleScenario ExplanationOfBenefit FamilyMemberHistory Flag Goal \
        GraphDefinition Group GuidanceResponse HealthcareService ImagingStudy Immunization \
        ImmunizationEvaluation ImmunizationRecommendation ImplementationGuide InsurancePlan Invoice \
        Library Linkage List Location Measure MeasureReport Media Medication MedicationAdministration \
        MedicationDispense MedicationKnowledge MedicationRequest MedicationStatement MedicinalProduct \
        MedicinalProductAuthorization MedicinalProductContraindication MedicinalProductIndication \
        MedicinalProductIngredient MedicinalProductInteraction MedicinalProductManufactured \
        MedicinalProductPackaged MedicinalProductPharmaceutical MedicinalProductUndesirableEffect \
        MessageDefinition MessageHeader MolecularSequence NamingSystem NutritionOrder Observation \
        ObservationDefinition OperationDefinition Organization OrganizationAffiliation Parameters \
        Patient PaymentNotice PaymentReconciliation Person PlanDefinition Practitioner PractitionerRole \
        Procedure Provenance Questionnaire QuestionnaireResponse RelatedPerson RequestGroup \
        ResearchDefinition ResearchElementDefinition ResearchStudy ResearchSubject RiskAssessment \
        RiskEvidenceSynthesis Schedule SearchParameter ServiceRequest Slot Specimen SpecimenDefinition \
        StructureDefinition StructureMap Subscription Substance SubstanceNucleicAcid SubstancePolymer \
        SubstanceProtein SubstanceReferenceInformation SubstanceSourceMaterial SubstanceSpecification \
        SupplyDelivery SupplyRequest Task TerminologyCapabilities TestReport TestScript ValueSet \
        VerificationResult VisionPrescription
        """.split(separator: " ").map(String.init))
}
