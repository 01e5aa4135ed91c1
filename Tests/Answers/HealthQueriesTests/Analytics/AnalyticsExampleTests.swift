import ByteText
import HealthModel
import HealthQueries
import Testing

@Suite("The example of analytics")
struct AnalyticsExampleTests {
    @Test("works")
    func example() throws {
        var samples = TestSamples()
        samples.steps("812", TestSamples.june + 43200, TestSamples.june + 43800)
        let store = samples.store
        try withDatabase { database in
            let library = try HealthStatsLibrary(creating: database)
            let user = try library.createUser(birthdate: "1984-03-01")
            try library.initializeDatabase(for: user, from: store) { progress in
                print(progress.percentage, progress.currentTask)
            }
            let steps = try library.getDailyAnalytics(for: "2024-06-01")?.steps
            #expect(steps == 812)
        }
    }
}
